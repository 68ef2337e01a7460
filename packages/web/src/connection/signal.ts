// A value that lives outside the components and tells them when it changes.

import { useSyncExternalStore } from 'react'

export interface Signal<Value> {
  get(): Value
  set(value: Value): void
  subscribe(heard: () => void): () => void
}

export function createSignal<Value>(first: Value, onSet?: (value: Value) => void): Signal<Value> {
  let current = first
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return
      current = value
      onSet?.(value)
      for (const heard of listeners) heard()
    },
    subscribe: (heard) => {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}

export function useSignal<Value>(signal: Signal<Value>): Value {
  return useSyncExternalStore(signal.subscribe, signal.get)
}
