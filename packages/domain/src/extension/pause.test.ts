import { describe, expect, it } from 'vitest'
import { pauseExtension, resumeExtension } from './pause.ts'
import { registerExtension } from './register.ts'
import { accepted, quiet, registration, sampleRoom, someone } from './sample-extension.ts'

const home = sampleRoom()
const relax = accepted(registerExtension(null, registration('one', 'w1'), someone('max'), quiet, 0)).next
const paused = accepted(pauseExtension(relax, home, someone('max'), 5))

describe('a paused extension', () => {
  it('[E60] says who paused it and when; pausing it again changes nothing', () => {
    expect(paused.paused).toEqual({ by: 'max', at: 5 })
    expect(pauseExtension(paused, home, someone('olga'), 9)).toBe(paused)
  })

  it('[E60] is as it was once it is resumed; resuming again changes nothing', () => {
    expect(resumeExtension(paused, home, someone('olga'))).toEqual(relax)
    expect(resumeExtension(relax, home, someone('olga'))).toBe(relax)
  })

  it.each([
    ['mia', 'extension_forbidden'],
    ['vera', 'extension_forbidden'],
    ['stranger', 'room_not_found'],
  ])('[E60] is not for %s to pause or resume', (user, refused) => {
    expect(pauseExtension(relax, home, someone(user), 5)).toMatchObject({ refused })
    expect(resumeExtension(paused, home, someone(user))).toMatchObject({ refused })
  })

  it('[E60] is not for a worker with a token of the room either', () => {
    const worker = { ...someone('max'), onlyRoom: home.name }
    expect(pauseExtension(relax, home, worker, 5)).toMatchObject({ refused: 'extension_forbidden' })
  })
})
