// Lets many calls pass as few: the first at once, and one after each interval in which there were more.

export interface Spaced {
  readonly call: () => void
  readonly stop: () => void
}

export function atMostEvery(ms: number, action: () => void): Spaced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const rest = (): void => {
    timer = undefined
    if (!again) return
    again = false
    go()
  }
  const go = (): void => {
    timer = setTimeout(rest, ms)
    action()
  }
  return {
    call: () => {
      if (timer === undefined) go()
      else again = true
    },
    stop: () => clearTimeout(timer),
  }
}
