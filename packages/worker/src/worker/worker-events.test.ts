import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { WorkerListeners } from './worker-events.ts'

it('[K31] a listener hears events until it says otherwise, and nothing is made for nobody', () => {
  const listeners = new WorkerListeners()
  const heard: string[] = []
  const event = vi.fn(() => ({ reason: 'gone' }))
  listeners.tell('disconnected', event)
  expect(event).not.toHaveBeenCalled()
  const forget = listeners.on('disconnected', ({ reason }) => heard.push(reason))
  listeners.tell('disconnected', event)
  forget()
  listeners.tell('disconnected', event)
  expect(heard).toEqual(['gone'])
})

it('[K31] a listener that throws holds up neither the worker nor other listeners, and is seen', async () => {
  const listeners = new WorkerListeners()
  const heard: string[] = []
  listeners.on('disconnected', () => {
    throw new Error('a mistake of the program')
  })
  listeners.on('disconnected', ({ reason }) => heard.push(reason))
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  const seen = once(process, 'uncaughtException')
  listeners.tell('disconnected', () => ({ reason: 'gone' }))
  expect(heard).toEqual(['gone'])
  expect((await seen)[0]).toMatchObject({ message: 'a mistake of the program' })
  for (const other of others) process.on('uncaughtException', other)
})
