// Pages as those see them who cannot see or point well, or have a phone: looked at by axe, as they are and with what opens
// above them.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Open, slow } from './describe-web.ts'
import { fitsPhone, onDesk, onPhone } from './screen-sizes.ts'
import { stumbles, type WebScene } from './web-scene.ts'

export function lookCases(scene: Open): void {
  it('[U54] axe finds nothing serious on any page, and none is wider than a phone', slow, async () => {
    const job = await anyJob(scene())
    for (const scheme of ['light', 'dark'] as const) {
      const page = await scene().otherPage(scheme)
      for (const [path, heading] of pagesWith(job)) {
        await onDesk(page)
        await page.goto(scene().server.url + path)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        // The form comes in a file of its own.
        if (heading === 'lab') await page.getByRole('button', { name: 'Run' }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await stumbles(page), `${scheme} ${path}`).toEqual([])
        await fitsPhone(page, path)
        // Colours are the same there.
        if (scheme === 'light') expect(await stumbles(page), `${path} on a phone`).toEqual([])
      }
      await page.context().close()
    }
  })

  it('[U145] nothing slides on a page that is turned, for who asked for less motion', slow, async () => {
    const job = await anyJob(scene())
    const page = await scene().otherPage()
    for (const [path, heading] of pagesWith(job)) {
      await onDesk(page)
      await page.goto(scene().server.url + path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.waitForLoadState('networkidle')
      await onPhone(page)
      expect(await page.evaluate<readonly string[]>(sliding), path).toEqual([])
    }
    await page.context().close()
  })

  it('[U128] axe finds nothing serious in what opens above a page', slow, async () => {
    const job = await anyJob(scene())
    for (const scheme of ['light', 'dark'] as const) {
      const page = await scene().otherPage(scheme)
      await onDesk(page)
      for (const [what, path, open] of openings(job)) {
        await page.goto(scene().server.url + path)
        await open(page)
        await page.waitForLoadState('networkidle')
        expect(await stumbles(page), `${scheme} ${what}`).toEqual([])
      }
      await page.context().close()
    }
  })
}

/** Judged in the page: what is under way there, but for changes of colour. */
const sliding = `document.getAnimations()
  .map(({ transitionProperty, animationName }) => transitionProperty ?? animationName)
  .filter((name) => !/color|opacity|shadow/.test(name))`

function pagesWith(job: string): readonly (readonly [string, string | RegExp])[] {
  return [
    ['/sign-in', 'Sign in'],
    ['/rooms', 'Rooms'],
    ['/rooms/lab', 'lab'],
    [`/rooms/lab/jobs/${job}`, /\w/],
    ['/jobs', 'Jobs'],
  ]
}

type Opening = readonly [what: string, path: string, open: (page: Page) => Promise<void>]

function openings(job: string): readonly Opening[] {
  const byButton = (name: string | RegExp, shows: string | RegExp) => async (page: Page) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(shows).first().waitFor()
  }
  const byKey = (key: string, shows: string) => async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press(key)
    await page.getByText(shows).first().waitFor()
  }
  return [
    ['the palette', '/rooms/lab', byKey('Control+k', 'Enter the room')],
    ['the sheet of keys', '/jobs', byKey('?', 'This sheet')],
    ['the account', '/rooms', byButton(/account and look/, 'Sign out')],
    ['my password', '/rooms', changesPassword],
    ['recent inputs', '/rooms/lab', byButton('Recent inputs', 'What you ran lately')],
    ['saved views', '/jobs', byButton('Views', 'Keep')],
    ['copy as', `/rooms/lab/jobs/${job}`, byButton('Copy as', 'Python')],
    ['a new room', '/rooms', byButton('New room', 'Make the room')],
    ['members', '/rooms/lab', byButton('Members', 'Members of lab')],
    ['connecting', '/rooms/lab', byButton('Connect a worker', 'The token serves this room only')],
  ]
}

async function changesPassword(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account and look/ }).click()
  await page.getByRole('button', { name: 'Change my password' }).click()
  await page.getByLabel('The same again').first().waitFor()
}

async function anyJob({ api }: WebScene): Promise<string> {
  const { jobs } = await api.expect<{ jobs: readonly { id: string }[] }>(200, 'GET', '/api/rooms/lab/jobs')
  const [first] = jobs
  if (!first) throw new Error('nobody has run anything in the room yet')
  return first.id
}
