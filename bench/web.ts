// What the web app costs whoever uses it, in a real Chromium before a real server: how much a first visit to a room
// loads, how the page of all jobs bears 20 s with a thousand events a second, and how it scrolls through 100,000 rows.

import { get } from 'node:http'
import { type Page, WebScene } from '@millrace/testkit/web'
import type { Bench, Figures } from './bench.ts'
import { RoomListener } from './millrace/room-listener.ts'
import { openLoop } from './open-loop.ts'

const room = 'lab'
/** Three or four events make a job's life, so this is more than a thousand a second. */
const jobsAtOnce = 40
const everyMs = 100
const times = 200
const noop = '/api/rooms/lab/extensions/room/analysis/Noop/submit-many'

export const bench: Bench = {
  name: 'web',
  async run(report): Promise<Figures> {
    const scene = await WebScene.open()
    try {
      await scene.page()
      const { kb, files } = await firstLoad(scene)
      report(`a first visit to a room loads ${files} files`)
      const load = await underLoad(scene, report)
      return { room_first_load_kb_gzip: kb, ...load, ...(await manyRows(scene, report)) }
    } finally {
      await scene.close()
    }
  },
}

async function firstLoad(scene: WebScene): Promise<{ readonly kb: number; readonly files: number }> {
  const page = await scene.otherPage()
  const asked = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/(?:api|socket\.io)\//.test(pathname)) asked.add(request.url())
  })
  await page.goto(`${scene.server.url}/rooms/${room}`)
  // The form is the last thing to come.
  await page.getByRole('button', { name: 'Run' }).waitFor()
  await page.waitForLoadState('networkidle')
  const sizes = await Promise.all([...asked].map(gzipBytes))
  await page.context().close()
  return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1_000, files: sizes.length }
}

/** As it travels to a browser that knows gzip and nothing better. */
function gzipBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', accept: 'text/html,*/*' }
    get(url, { headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

async function underLoad(scene: WebScene, report: (line: string) => void): Promise<Figures> {
  await scene.serve(
    { category: 'analysis', name: 'Noop', schema: { type: 'object' }, run: async () => undefined },
    { slots: 50 },
  )
  const listener = await RoomListener.join(scene.api, room)
  const page = await scene.otherPage()
  await page.addInitScript(watchTasks)
  await page.goto(`${scene.server.url}/jobs`)
  await page.getByTestId('live-chip').getByText('live').waitFor()
  await page.evaluate(() => {
    const { watched } = globalThis as unknown as Watching
    watched.length = 0
  })

  const ids: string[] = []
  const began = performance.now()
  const completed = listener.completed(jobsAtOnce * times)
  await openLoop(times, everyMs, async () => {
    const jobs = Array.from({ length: jobsAtOnce }, () => ({ data: {} }))
    const { jobs: made } = await scene.api.expect<{ jobs: { id: string }[] }>(201, 'POST', noop, { jobs })
    ids.push(...made.map(({ id }) => id))
  })
  await completed
  const seconds = (performance.now() - began) / 1_000
  report(`${listener.events} events in ${seconds.toFixed(1)} s`)
  const longest = await page.evaluate(() => Math.max(0, ...(globalThis as unknown as Watching).watched))
  const seen = await rowsOf(page)
  return {
    events_per_s: listener.events / seconds,
    longest_task_ms: longest,
    rows_missing: ids.filter((id) => !seen.has(id)).length,
  }
}

const manyJobs = 100_000
const bulk = 1_000

/** Somebody goes to the end of a list that is fetched as they go, and then to its middle and its beginning again. */
async function manyRows(scene: WebScene, report: (line: string) => void): Promise<Figures> {
  const listener = await RoomListener.join(scene.api, room)
  const completed = listener.completed(manyJobs)
  const jobs = Array.from({ length: bulk }, () => ({ data: {} }))
  for (let sent = 0; sent < manyJobs; sent += bulk) await scene.api.expect(201, 'POST', noop, { jobs })
  await completed
  const page = await scene.otherPage()
  await page.addInitScript(watchTasks)
  await page.goto(`${scene.server.url}/jobs`)
  await page.getByTestId('live-chip').getByText('live').waitFor()
  await page.locator('main ul li a').first().waitFor()
  await page.evaluate(() => {
    const { watched } = globalThis as unknown as Watching
    watched.length = 0
  })
  const began = performance.now()
  const { rows, blank } = await page.evaluate<{ rows: number; blank: number }>(scrollThrough(manyJobs))
  report(`${rows} rows scrolled through in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  const longest = await page.evaluate(() => Math.max(0, ...(globalThis as unknown as Watching).watched))
  return { scrolled_rows: rows, scroll_longest_task_ms: longest, scroll_blank_screens: blank }
}

/** Runs in the page. */
const scrollThrough = (wanted: number): string => `(async () => {
  const list = document.querySelector('main ul')
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const lastIndex = () => Math.max(-1, ...[...list.querySelectorAll('li[data-index]')].map((row) => Number(row.dataset.index)))
  let blank = 0
  const look = async (top) => {
    list.scrollTop = top
    await drawn()
    if (list.querySelectorAll('li a[href*="/jobs/"]').length === 0) blank += 1
  }
  const beganAt = performance.now()
  while (lastIndex() + 1 < ${wanted} && performance.now() - beganAt < 300000) await look(list.scrollHeight)
  const rows = lastIndex() + 1
  for (let part = 20; part >= 0; part -= 1) await look((list.scrollHeight * part) / 20)
  return { rows, blank }
})()`

interface Watching {
  watched: number[]
}

/** Runs in the page, before anything of its own. */
const watchTasks = `
  globalThis.watched = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.push(duration)
  }).observe({ type: 'longtask' })
`

/** Runs in the page: scrolls from the top to the end and notes the jobs that rows link to. */
const gatherRows = `(async () => {
  const list = document.querySelector('main ul')
  if (!list) throw new Error('there is no list of jobs')
  const seen = new Set()
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  for (let top = 0; ; top += list.clientHeight) {
    list.scrollTop = top
    await drawn()
    for (const { href } of list.querySelectorAll('li a[href*="/jobs/"]'))
      seen.add(href.split('/jobs/')[1].split(/[/?#]/)[0])
    if (top + list.clientHeight >= list.scrollHeight) return [...seen]
  }
})()`

/** The jobs in the list from its top to its end, as somebody sees them who scrolls. */
async function rowsOf(page: Page): Promise<ReadonlySet<string>> {
  const fresh = page.getByRole('button', { name: 'new, show' })
  // What came last is shown a moment later.
  do {
    await page.waitForTimeout(1_000)
    if (await fresh.isVisible()) await fresh.click()
  } while (await fresh.isVisible())
  return new Set(await page.evaluate<string[]>(gatherRows))
}
