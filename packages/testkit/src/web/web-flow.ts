// What somebody does with the web app, in a real browser against a real server, on whichever store.

import { defineExtension } from '@millrace/worker'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { heldExtension } from '../worker-flow/held-extension.ts'
import { describeWeb, type Open, slow, type WebStore } from './describe-web.ts'
import { stumbles, type WebScene } from './web-scene.ts'

export function webFlow(store: WebStore): void {
  describeWeb('the web app', store, [jobCases, listCases, roomCases, outageCases])
}

function jobCases(scene: Open): void {
  it('[U50] the link that the server prints signs in, once, and is gone from the address', slow, async () => {
    const page = await scene().page()
    await isLive(page)
    expect(page.url()).not.toContain('code=')
    const stranger = await scene().strangerPage()
    await stranger.goto(scene().server.link)
    await stranger.getByRole('alert').getByText('was used already').waitFor()
    await stranger.context().close()
  })

  it('[U51] a built-in extension runs from its form, and its figure is drawn', slow, async () => {
    const page = await scene().goTo('/rooms/lab?run=builtin/analysis/Histogram')
    await page.getByLabel('Samples', { exact: true }).fill('5000')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('link', { name: 'Show the job' }).first().click()
    await hasStatus(page, 'completed')
    await page.getByRole('img', { name: /^Histogram of/ }).waitFor()
    await page.getByText('5000 numbers in').waitFor()
  })

  it('[U52] the bar of a remote job goes through its states, and a cancel ends it', slow, async () => {
    const held = heldExtension('Held', heldSchema)
    await scene().serve(held.extension)
    const page = await scene().goTo('/rooms/lab?run=room/modifiers/Held')
    await page.getByLabel('Depth').fill('3')
    await page.getByRole('button', { name: 'Run' }).click()
    const { job } = await held.began()
    expect(job.data).toEqual({ depth: 3 })
    await page.getByRole('link', { name: 'Show the job' }).first().click()
    await hasStatus(page, 'running')
    const bar = page.getByRole('region', { name: 'Life of the job' }).getByRole('img')
    await bar.locator('[data-phase="pending"]').first().waitFor()
    await bar.locator('[data-phase="running"][data-open]').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await hasStatus(page, 'cancelled')
    expect(await bar.locator('[data-open]').count()).toBe(0)
  })
}

function listCases(scene: Open): void {
  it('[U110] a job that failed after the list of failed ones was opened is new there', slow, async () => {
    let fail: (error: Error) => void = () => undefined
    const fate = new Promise<never>((_, reject) => {
      fail = reject
    })
    const doomed = defineExtension({
      category: 'modifiers',
      name: 'Doomed',
      schema: { type: 'object' },
      policy: { job: { maxAttempts: 1 } },
      run: () => fate,
    })
    await scene().serve(doomed)
    const path = '/api/rooms/lab/extensions/room/modifiers/Doomed/submit'
    const { id } = await scene().api.expect<{ id: string }>(201, 'POST', path, { data: {} })
    await expect.poll(() => statusOf(scene(), id)).toBe('running')
    const page = await scene().otherPage()
    const before = await sessionsIn(scene())
    await page.goto(`${scene().server.url}/jobs?status=failed`)
    await expect.poll(() => sessionsIn(scene())).toBe(before + 1)
    await isLive(page)
    fail(new Error('as it had to come'))
    await page.getByRole('button', { name: '1 new, show' }).click()
    await page.locator(`[data-job="${id}"]`).waitFor()
    await page.context().close()
  })

  it('[U113] the end of a job is told on another page, which was loaded anew', slow, async () => {
    const held = heldExtension('Errand')
    await scene().serve(held.extension)
    const page = await scene().goTo('/rooms/lab?run=room/modifiers/Errand')
    await page.getByRole('button', { name: 'Run' }).click()
    const { end } = await held.began()
    await scene().goTo('/rooms')
    await page.getByRole('heading', { level: 1, name: 'Rooms' }).waitFor()
    await isLive(page)
    end({})
    await page.getByText('Errand completed').waitFor()
  })

  it('[U114] what a filter finds in two rooms is cancelled after it was counted', slow, async () => {
    const { api } = scene()
    await api.expect(201, 'POST', '/api/rooms', { name: 'annex' })
    const notBefore = Date.now() + 3_600_000
    const ids: string[] = []
    for (const room of ['annex', 'lab', 'lab']) ids.push((await submit(scene(), room, { notBefore })).id)
    const page = await scene().goTo('/jobs?status=pending')
    await page.getByText('3 in all').waitFor()
    await page.getByRole('button', { name: 'All of these' }).click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The filter finds 3 in 2 rooms.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel 3' }).click()
    await page.getByText('3 jobs were cancelled.').waitFor()
    for (const id of ids)
      await page.locator(`[data-job="${id}"]`).getByText('cancelled', { exact: true }).waitFor()
  })
}

function roomCases(scene: Open): void {
  it('[U53] a lock shows in another browser with holder, message and the time left', slow, async () => {
    const page = await scene().otherPage()
    await page.goto(`${scene().server.url}/rooms/lab`)
    await isLive(page)
    const path = '/api/rooms/lab/locks/trajectory'
    const body = { ttlMs: 60_000, message: 'Uploading 1,000 frames' }
    const { fence } = await scene().api.expect<{ fence: number }>(200, 'POST', `${path}/acquire`, body)
    const banner = page.getByRole('status').filter({ hasText: 'Uploading 1,000 frames' })
    await banner.getByText(/\d+ s left/).waitFor()
    await scene().api.expect(200, 'POST', `${path}/release`, { fence })
    await banner.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('[U54] axe finds nothing serious on any page, light or dark', slow, async () => {
    const job = (await idsOf(scene()))[0] ?? (await submit(scene())).id
    for (const scheme of ['light', 'dark'] as const) {
      const page = await scene().otherPage(scheme)
      for (const [path, heading] of pagesWith(job)) {
        await page.goto(scene().server.url + path)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        // The form comes in a file of its own.
        if (heading === 'lab') await page.getByRole('button', { name: 'Run' }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await stumbles(page), `${scheme} ${path}`).toEqual([])
      }
      await page.context().close()
    }
  })
}

function outageCases(scene: Open): void {
  it('[U55] a killed server shows, and after its return nothing is missing', slow, async () => {
    const page = await scene().goTo('/jobs')
    await isLive(page)
    const before = await idsOf(scene())
    await scene().server.kill()
    await page.getByTestId('live-chip').getByText('offline').waitFor()
    // What happens now is heard by nobody.
    await page.context().setOffline(true)
    await scene().server.startAgain()
    const { id } = await submit(scene())
    expect(await page.getByTestId('live-chip').textContent()).toContain('offline')
    await page.context().setOffline(false)
    await isLive(page)
    for (const each of [id, ...before]) await page.locator(`[data-job="${each}"]`).waitFor()
  })

  it('[U57] all the while no page has thrown anything, or wanted what its policy forbids', () => {
    expect(scene().faults).toEqual([])
  })
}

const heldSchema = {
  type: 'object',
  properties: { depth: { title: 'Depth', anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } },
}

function isLive(page: Page): Promise<void> {
  return page.getByTestId('live-chip').getByText('live', { exact: true }).waitFor()
}

function hasStatus(page: Page, status: string): Promise<void> {
  return page.getByTestId('job-status').getByText(status, { exact: true }).waitFor()
}

function pagesWith(job: string): readonly (readonly [string, string | RegExp])[] {
  return [
    ['/sign-in', 'Sign in'],
    ['/rooms', 'Rooms'],
    ['/rooms/lab', 'lab'],
    [`/rooms/lab/jobs/${job}`, /\w/],
    ['/jobs', 'Jobs'],
  ]
}

async function submit(
  { api }: WebScene,
  room = 'lab',
  options: object = {},
): Promise<{ readonly id: string }> {
  const path = `/api/rooms/${room}/extensions/builtin/analysis/Histogram/submit`
  return api.expect<{ id: string }>(201, 'POST', path, { data: { samples: 100 }, ...options })
}

async function statusOf({ api }: WebScene, id: string): Promise<string> {
  return (await api.expect<{ status: string }>(200, 'GET', `/api/rooms/lab/jobs/${id}`)).status
}

/** How many pages are in the room: one that was opened hears it when it is among them. */
async function sessionsIn({ api }: WebScene): Promise<number> {
  const path = '/api/rooms/lab/presence'
  const { people } = await api.expect<{ people: readonly { sessions: number }[] }>(200, 'GET', path)
  return people.reduce((sum, { sessions }) => sum + sessions, 0)
}

async function idsOf({ api }: WebScene): Promise<readonly string[]> {
  const { jobs } = await api.expect<{ jobs: readonly { id: string }[] }>(200, 'GET', '/api/jobs')
  return jobs.map(({ id }) => id)
}
