// What operators do with the web app, in a real browser against a real server, on whichever store.

import { defineExtension } from '@millrace/worker'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { FlowScene } from '../server-flow/flow-scene.ts'
import { type HeldExtension, heldExtension } from '../worker-flow/held-extension.ts'
import { describeWeb, type Open, slow, type WebStore } from './describe-web.ts'
import { hasStatus, isLive } from './page-signs.ts'
import { fitsPhone, onDesk, onTablet } from './screen-sizes.ts'
import { stumbles, type WebScene } from './web-scene.ts'

export function pagesFlow(store: WebStore): void {
  describeWeb("the operators' pages", store, [
    placementCases,
    workerCases,
    failureCases,
    colourCases,
    adminCases,
    othersCases,
    lookCases,
  ])
}

/** One job runs on the only slot, and two wait. */
async function crowd(scene: WebScene, held: HeldExtension): Promise<void> {
  await scene.serve(held.extension)
  for (let jobs = 0; jobs < 3; jobs += 1) await submit(scene, 'room/modifiers/Crowd')
  await held.began()
}

function placementCases(scene: Open): void {
  it(
    '[U82] where it is narrow is said in words, and so is what one more worker would start',
    slow,
    async () => {
      const held = heldExtension('Crowd')
      await crowd(scene(), held)
      const page = await scene().goTo('/placement')
      const network = page.getByRole('region', { name: 'The network' })
      await network.getByRole('img', { name: /worker-1 to slots: .* narrow: all slots busy/ }).waitFor()
      await network.getByText('Crowd, 2 wait').waitFor()
      await page.getByRole('combobox', { name: 'Like' }).click()
      await page.getByRole('option', { name: /worker-1/ }).click()
      await page.getByRole('button', { name: 'What if?' }).click()
      await page.getByTestId('what-if-answer').getByText('1 more job would start now.').waitFor()
      // On a quiet machine the three submits are one pass, and there is nothing to go back to.
      await submit(scene(), 'room/modifiers/Crowd')
      await network.getByRole('status').filter({ hasText: '3 waited' }).waitFor()
      await page.getByRole('slider', { name: 'Pass' }).press('Home')
      await network
        .getByRole('status')
        .filter({ hasText: /[012] waited/ })
        .waitFor()
      await page.getByRole('button', { name: 'Back to live' }).click()
    },
  )

  it('[U131] that all slots are busy while jobs wait is said as what needs somebody', slow, async () => {
    const path = '/api/rooms/lab/extensions/builtin/analysis/MonteCarloPi/submit'
    const pi = async (samples: number): Promise<string> =>
      (await scene().api.expect<{ id: string }>(201, 'POST', path, { data: { samples } })).id
    // Once it was seen to be short, it may take every slot of the pool.
    await hasStatus(await scene().goTo(`/rooms/lab/jobs/${await pi(1_000)}`), 'completed')
    const page = await scene().goTo('/overview')
    await page.getByText('Nothing needs you.').waitFor()
    const long = [await pi(2_000_000_000), await pi(2_000_000_000)]
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await needs.getByText(/^Slots in use: all 3 busy, \d waits?\.$/).waitFor()
    expect(await page.getByText('Nothing needs you.').count()).toBe(0)
    for (const id of long) await scene().api.expect(202, 'POST', `/api/rooms/lab/jobs/${id}/cancel`)
    await page.getByText('Nothing needs you.').waitFor()
  })

  it(
    '[U81] an extension is paused and resumed where it is listed, and its form can be read',
    slow,
    async () => {
      const page = await scene().goTo('/extensions')
      await page.getByRole('button', { name: 'Crowd' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Pause' }).click()
      await dialog.getByRole('button', { name: 'Resume' }).waitFor()
      await dialog.getByRole('tab', { name: 'Form' }).click()
      await dialog.getByText('The whole schema').waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      const row = page.getByRole('row').filter({ hasText: 'Crowd' })
      await row.getByText('paused by admin').waitFor()
      await page.getByRole('button', { name: 'Crowd' }).click()
      await dialog.getByRole('button', { name: 'Resume' }).click()
      await dialog.getByRole('button', { name: 'Pause' }).waitFor()
    },
  )
}

function workerCases(scene: Open): void {
  it('[U80] a worker is drained, given jobs again and disconnected', slow, async () => {
    const page = await scene().goTo('/workers')
    const row = page.getByTestId('worker-worker-1')
    await row.getByRole('img', { name: '1 of 1 slots are taken' }).waitFor()
    await row.getByRole('link', { name: /^lab …/ }).waitFor()
    await hasWord(row, 'busy')
    await row.getByRole('button', { name: 'Drain' }).click()
    await hasWord(row, 'draining')
    await row.getByRole('button', { name: 'Give worker-1 jobs again' }).click()
    await hasWord(row, 'busy')
    // One of the SDK is back within a moment; this one stays away.
    const { url, token } = scene().api
    const others = new FlowScene(url, token ?? '')
    const { id } = await others.worker([{ room: 'lab', name: 'Sent' }])
    await page.getByTestId(`worker-${id}`).getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    const lost = page.getByRole('region', { name: 'Lost' })
    await hasWord(lost.getByTestId(`worker-${id}`), 'lost')
    await others.close()
  })

  it('[U83] what needs somebody stands on the overview, and leads to its jobs', slow, async () => {
    await scene().api.expect(200, 'POST', '/api/rooms/lab/extensions/room/modifiers/Crowd/pause')
    const page = await scene().goTo('/overview')
    const trouble = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
    const stuck = trouble.filter({ hasText: 'modifiers/Crowd in lab' })
    await stuck.getByText('The extension was paused by admin.').waitFor()
    await page.getByRole('figure', { name: /^Waiting and running/ }).waitFor()
    await stuck.getByRole('link', { name: 'Show the jobs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    expect(new URL(page.url()).searchParams.get('extension')).toBe('Crowd')
    await page.locator('[data-job]').first().waitFor()
  })
}

function failureCases(scene: Open): void {
  it('[U84] errors that are alike are one, beside the dead letters they made', slow, async () => {
    const failing = defineExtension<{ n?: number }>({
      category: 'analysis',
      name: 'Broken',
      schema: { type: 'object', properties: { n: { type: 'integer' } } },
      policy: { job: { maxAttempts: 1 } },
      run: ({ data }) => {
        throw new TypeError(`no frame ${data.n}`)
      },
    })
    const page = await scene().goTo('/dead-letters')
    await page.getByText('Nothing has gone wrong lately').waitFor()
    await scene().serve(failing)
    for (const n of [1, 2]) await submit(scene(), 'room/analysis/Broken', { n })
    const error = page
      .getByRole('table', { name: 'Errors' })
      .getByRole('row')
      .filter({ hasText: 'TypeError' })
    await error.getByText('2 ×').waitFor()
    await error.getByRole('button', { name: 'Its dead letters' }).click()
    const letters = page.getByRole('table', { name: 'Dead letters' })
    await letters.getByText('no frame 1').waitFor()
    await letters.getByText('no frame 2').waitFor()
    expect(new URL(page.url()).searchParams.get('extension')).toBe('Broken')
  })

  it(
    '[U87] [U133] dead letters are redriven by a filter after they were counted, and the audit trail says by whom',
    slow,
    async () => {
      let isMended = false
      const mended = defineExtension({
        category: 'analysis',
        name: 'Mended',
        schema: { type: 'object' },
        policy: { job: { maxAttempts: 1 } },
        run: () => {
          if (!isMended) throw new Error('not mended yet')
          return { fine: true }
        },
      })
      await scene().serve(mended)
      for (let jobs = 0; jobs < 2; jobs += 1) await submit(scene(), 'room/analysis/Mended')
      const page = await scene().goTo('/dead-letters?extension=Mended')
      const letters = page.getByRole('table', { name: 'Dead letters' })
      await letters.getByText('not mended yet').nth(1).waitFor()
      isMended = true
      await page.getByRole('button', { name: 'Redrive all of these' }).click()
      await page.getByRole('dialog', { name: 'Redrive dead letters' }).getByText('Redrive 2').click()
      await page.getByText('2 jobs were redriven.').waitFor()
      await scene().goTo('/jobs?extension=Mended')
      await page.locator('[data-job]').filter({ hasText: 'completed' }).nth(1).waitFor()
      await scene().goTo('/admin')
      await page.getByRole('tab', { name: 'Audit' }).click()
      await page.getByRole('row').filter({ hasText: 'redrive' }).getByText('admin').first().waitFor()
    },
  )
}

function colourCases(scene: Open): void {
  it('[U126] what a colour says is said by a sign or a word as well', slow, async () => {
    const page = await scene().goTo('/extensions')
    const row = page.getByRole('row').filter({ hasText: 'Broken' })
    await row.getByRole('img', { name: 'Many fail:' }).waitFor()
    await row.getByText('100 %').waitFor()
    await scene().goTo('/placement')
    const network = page.getByRole('region', { name: 'The network' })
    await network.getByText('started, at the foot').waitFor()
    await network.getByText('left waiting, on top').waitFor()
  })
}

function adminCases(scene: Open): void {
  it('[U85] an admin makes an account, limits a room and reads the configuration', slow, async () => {
    const page = await scene().goTo('/admin')
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.getByRole('table', { name: 'Users' }).getByText('ada', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Limits' }).click()
    await page.getByLabel('How many jobs lab may run at once').fill('5')
    const row = page.getByRole('row').filter({ hasText: 'lab' })
    await row.getByRole('button', { name: 'Keep' }).click()
    await expect.poll(() => limitOf(scene())).toBe(5)
    await page.getByRole('tab', { name: 'Configuration' }).click()
    const port = page.getByRole('row').filter({ has: page.getByText('port', { exact: true }) })
    await port.getByText(/^(?:--port|MILLRACE_PORT)$/).waitFor()
  })
}

function othersCases(scene: Open): void {
  it('[U115] rooms and accounts that others make appear where they are listed', slow, async () => {
    const page = await scene().goTo('/rooms')
    await page.getByRole('heading', { level: 2, name: 'lab' }).waitFor()
    await isLive(page)
    await scene().api.expect(201, 'POST', '/api/rooms', { name: 'annex' })
    await page.getByRole('heading', { level: 2, name: 'annex' }).waitFor()
    await scene().goTo('/admin')
    const users = page.getByRole('table', { name: 'Users' })
    await users.waitFor()
    await isLive(page)
    const body = { user: 'grace', password: 'correct horse', role: 'user' }
    await scene().api.expect(201, 'POST', '/api/users', body)
    await users.getByText('grace', { exact: true }).waitFor()
  })
}

function lookCases(scene: Open): void {
  it('[U86] axe finds nothing serious on any page, and none is wider than a phone', slow, async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await scene().otherPage(scheme)
      for (const path of paths) {
        await onDesk(page)
        await page.goto(scene().server.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await stumbles(page), `${scheme} ${path}`).toEqual([])
        await fitsPhone(page, path)
        // Colours are the same there.
        if (scheme === 'light') expect(await stumbles(page), `${path} on a phone`).toEqual([])
      }
      await page.context().close()
    }
  })

  it(
    '[U146] a table wider than its box is scrolled by the keyboard, and one that fits is not',
    slow,
    async () => {
      const body = { user: 'x'.repeat(64), password: 'correct horse', role: 'user' }
      const { api, server } = scene()
      await api.expect(201, 'POST', '/api/users', body)
      const page = await scene().otherPage()
      await onTablet(page)
      await page.goto(`${server.url}/admin`)
      const box = page.getByRole('group', { name: 'Users' })
      await box.waitFor()
      expect(await stumbles(page)).toEqual([])
      await box.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => box.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
      await onDesk(page)
      await box.waitFor({ state: 'detached' })
      await api.expect(204, 'DELETE', `/api/users/${body.user}`)
      await page.context().close()
    },
  )
}

const paths = [
  '/extensions',
  '/workers',
  '/dead-letters',
  '/placement',
  '/overview',
  '/admin',
  '/admin?tab=tokens',
  '/admin?tab=audit',
  '/admin?tab=limits',
  '/admin?tab=configuration',
]

function hasWord(within: Page | Locator, word: string): Promise<void> {
  return within.locator(`[data-word="${word}"]`).first().waitFor()
}

async function submit({ api }: WebScene, extension: string, data: unknown = {}): Promise<void> {
  await api.expect(201, 'POST', `/api/rooms/lab/extensions/${extension}/submit`, { data })
}

async function limitOf({ api }: WebScene): Promise<number | null> {
  return (await api.expect<{ limit: number | null }>(200, 'GET', '/api/rooms/lab')).limit
}
