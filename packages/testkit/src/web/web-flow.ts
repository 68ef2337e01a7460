// What somebody does with the web app, in a real browser against a real server, on whichever store.

import { expect, it } from 'vitest'
import { heldExtension } from '../worker-flow/held-extension.ts'
import { describeWeb, type Open, slow, type WebStore } from './describe-web.ts'
import { formCases, keyCases, logCases, paletteCases } from './form-cases.ts'
import { endCases, listCases } from './list-cases.ts'
import { lineCases, liveCases } from './live-cases.ts'
import { lookCases } from './look-cases.ts'
import { memberCases, passwordCases } from './member-cases.ts'
import { hasStatus, isLive } from './page-signs.ts'
import type { WebScene } from './web-scene.ts'

export function webFlow(store: WebStore): void {
  describeWeb('the web app', store, [
    jobCases,
    listCases,
    endCases,
    formCases,
    logCases,
    keyCases,
    paletteCases,
    roomCases,
    liveCases,
    lineCases,
    memberCases,
    passwordCases,
    lookCases,
    outageCases,
  ])
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
    // The toast of the submit turns into that of the end, and must not do so under the hand that clicks.
    await page.getByText('Histogram completed').waitFor()
    await page.getByRole('link', { name: 'Show the job' }).first().click()
    await hasStatus(page, 'completed')
    await page.getByRole('img', { name: /^Histogram of/ }).waitFor()
    await page.getByText('5000 numbers in').waitFor()
  })

  it('[U133] a job that completed is retried, and each names the other', slow, async () => {
    const { id } = await submit(scene())
    const page = await scene().goTo(`/rooms/lab/jobs/${id}`)
    await hasStatus(page, 'completed')
    await page.getByRole('button', { name: 'Edit and rerun' }).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'a retry of this job' }).click()
    await page.waitForURL(`**/rooms/lab/jobs/${id}`)
    await page.getByRole('link', { name: 'was retried as this job' }).waitFor()
  })

  it('[U52] the bar of a remote job goes through its states, and a cancel ends it', slow, async () => {
    const held = heldExtension('Held', heldSchema)
    await scene().serve(held.extension)
    await submit(scene(), 'room/modifiers/Held', { depth: 1 })
    const before = await held.began()
    const page = await scene().goTo('/rooms/lab?run=room/modifiers/Held')
    await page.getByLabel('Depth').fill('3')
    const submitted = page.waitForResponse((reply) => reply.url().endsWith('/modifiers/Held/submit'))
    await page.getByRole('button', { name: 'Run' }).click()
    // Its toast leads there too, but goes after some seconds.
    const { id } = (await (await submitted).json()) as { readonly id: string }
    await scene().goTo(`/rooms/lab/jobs/${id}`)
    await hasStatus(page, 'pending')
    const bar = page.getByRole('region', { name: 'Life of the job' }).getByRole('img')
    await bar.locator('[data-phase="pending"][data-open]').waitFor()
    const why = page.getByRole('region', { name: 'Why it waits' })
    await why.getByText(/^Next in line/).waitFor()
    before.end({})
    const { job } = await held.began()
    expect(job.data).toEqual({ depth: 3 })
    await hasStatus(page, 'running')
    await why.waitFor({ state: 'detached' })
    await bar.locator('[data-phase="pending"]:not([data-open])').first().waitFor()
    await bar.locator('[data-phase="running"][data-open]').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await hasStatus(page, 'cancelled')
    expect(await bar.locator('[data-open]').count()).toBe(0)
  })
}

function roomCases(scene: Open): void {
  it('[U53, U127] a lock shows in another browser, and its time left ticks unannounced', slow, async () => {
    const page = await scene().otherPage()
    await page.goto(`${scene().server.url}/rooms/lab`)
    await isLive(page)
    const path = '/api/rooms/lab/locks/trajectory'
    const body = { ttlMs: 60_000, message: 'Uploading 1,000 frames' }
    const { fence } = await scene().api.expect<{ fence: number }>(200, 'POST', `${path}/acquire`, body)
    const banner = page.getByRole('group', { name: 'Lock of trajectory' })
    await banner.getByText(/\d+ s left/).waitFor()
    const told = await banner.getByRole('status').textContent()
    expect(told).toBe('admin holds trajectory: Uploading 1,000 frames')
    await scene().api.expect(200, 'POST', `${path}/release`, { fence })
    await banner.waitFor({ state: 'detached' })
    await page.context().close()
  })
}

function outageCases(scene: Open): void {
  it('[U55, U127] a killed server shows, and after its return nothing is missing', slow, async () => {
    const page = await scene().goTo('/jobs')
    await isLive(page)
    const before = await idsOf(scene())
    await scene().server.kill()
    await page
      .getByTestId('live-chip')
      .getByText(/^, lost /)
      .waitFor()
    expect(await page.getByTestId('live-chip').getByRole('status').textContent()).toBe('offline')
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

async function submit(
  { api }: WebScene,
  extension = 'builtin/analysis/Histogram',
  data: unknown = { samples: 100 },
): Promise<{ readonly id: string }> {
  return api.expect<{ id: string }>(201, 'POST', `/api/rooms/lab/extensions/${extension}/submit`, { data })
}

async function idsOf({ api }: WebScene): Promise<readonly string[]> {
  const { jobs } = await api.expect<{ jobs: readonly { id: string }[] }>(200, 'GET', '/api/jobs')
  return jobs.map(({ id }) => id)
}
