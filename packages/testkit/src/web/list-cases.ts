// Lists that are looked at while others change what stands in them, and the ends of jobs that are not looked at.

import { defineExtension } from '@millrace/worker'
import { expect, it } from 'vitest'
import { heldExtension } from '../worker-flow/held-extension.ts'
import { type Open, slow } from './describe-web.ts'
import { isLive } from './page-signs.ts'
import type { Page, WebScene } from './web-scene.ts'

export function listCases(scene: Open): void {
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
    const page = await watching(scene(), '/jobs?status=failed')
    fail(new Error('as it had to come'))
    await page.getByRole('button', { name: '1 new, show' }).click()
    await page.locator(`[data-job="${id}"]`).waitFor()
    await page.context().close()
  })

  it('[U130] a row that no longer matches says so, and goes when what is new is shown', slow, async () => {
    const { api } = scene()
    const pending = await submitLater(scene(), 'lab', later())
    const cancelled = await submitLater(scene(), 'lab', later())
    const page = await watching(scene(), '/jobs?status=pending')
    await page.getByText('2 in all').waitFor()
    await api.expect(202, 'POST', `/api/rooms/lab/jobs/${cancelled}/cancel`)
    const row = page.locator(`[data-job="${cancelled}"]`)
    await row.getByText('no longer matches').waitFor()
    await row.getByText('cancelled', { exact: true }).waitFor()
    await page.getByText('1 in all, 1 no longer matches').waitFor()
    expect(await page.locator('[data-job]').first().getAttribute('data-job')).toBe(cancelled)
    expect(await page.locator(`[data-job="${pending}"]`).getByText('no longer matches').count()).toBe(0)
    const fresh = await submitLater(scene(), 'lab', later())
    await page.getByRole('button', { name: '1 new, show' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText('2 in all').waitFor()
    for (const id of [pending, fresh]) await api.expect(202, 'POST', `/api/rooms/lab/jobs/${id}/cancel`)
    await page.context().close()
  })
}

export function endCases(scene: Open): void {
  it('[U113] the end of a job is told on another page, which was loaded anew', slow, async () => {
    const held = heldExtension('Errand')
    await scene().serve(held.extension)
    const page = await scene().goTo('/rooms/lab?run=room/modifiers/Errand')
    await page.getByRole('button', { name: 'Run' }).click()
    const { end } = await held.began()
    // It may begin before the page has the answer to its submit, and a page that is left then never learns what it submitted.
    await page.getByText('Errand is on its way.').waitFor()
    await scene().goTo('/rooms')
    await page.getByRole('heading', { level: 1, name: 'Rooms' }).waitFor()
    await isLive(page)
    end({})
    await page.getByText('Errand completed').waitFor()
  })

  it('[U114] what a filter finds in two rooms is cancelled after it was counted', slow, async () => {
    const { api } = scene()
    await api.expect(201, 'POST', '/api/rooms', { name: 'annex' })
    const notBefore = later()
    const ids: string[] = []
    for (const room of ['annex', 'lab', 'lab']) ids.push(await submitLater(scene(), room, notBefore))
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

/** Nothing that waits for it begins during a test. */
function later(): number {
  return Date.now() + 3_600_000
}

async function submitLater({ api }: WebScene, room: string, notBefore: number): Promise<string> {
  const path = `/api/rooms/${room}/extensions/builtin/analysis/Histogram/submit`
  const { id } = await api.expect<{ id: string }>(201, 'POST', path, { data: { samples: 100 }, notBefore })
  return id
}

async function statusOf({ api }: WebScene, id: string): Promise<string> {
  return (await api.expect<{ status: string }>(200, 'GET', `/api/rooms/lab/jobs/${id}`)).status
}

/** Another page, which hears of the room. */
async function watching(scene: WebScene, path: string): Promise<Page> {
  const page = await scene.otherPage()
  const before = await sessionsIn(scene)
  await page.goto(scene.server.url + path)
  await expect.poll(() => sessionsIn(scene)).toBe(before + 1)
  await isLive(page)
  return page
}

/** How many pages are in the room: one that was opened hears it when it is among them. */
async function sessionsIn({ api }: WebScene): Promise<number> {
  const path = '/api/rooms/lab/presence'
  const { people } = await api.expect<{ people: readonly { sessions: number }[] }>(200, 'GET', path)
  return people.reduce((sum, { sessions }) => sum + sessions, 0)
}
