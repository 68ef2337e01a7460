// A real browser before a real server.

import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWorker, type Extension } from '@millrace/worker'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { ApiClient } from '../server/api-client.ts'
import { ensureWebBuild } from './web-build.ts'
import { startWebServer, type WebServer } from './web-server.ts'

export type { Page }

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const home = 'lab'
/** A machine with two cores that runs other tests is slow, and not wrong. */
export const patienceMs = 60_000

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

export class WebScene {
  readonly server: WebServer
  /** What any of its pages threw, or was refused by its policy. */
  readonly faults: string[] = []
  readonly #browser: Browser
  readonly #workers: ReturnType<typeof createWorker>[] = []
  #page: Page | null = null
  #api: ApiClient | null = null

  private constructor(server: WebServer, browser: Browser) {
    this.server = server
    this.#browser = browser
  }

  static async open(redisUrl?: string): Promise<WebScene> {
    await ensureWebBuild()
    const server = await startWebServer(redisUrl)
    const browser = await chromium.launch({ executablePath: whereIs('chromium'), args: ['--no-sandbox'] })
    return new WebScene(server, browser)
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await worker.stop()
    await this.#browser.close()
    await this.server.stop()
  }

  get api(): ApiClient {
    if (!this.#api) throw new Error('nobody has signed in yet')
    return this.#api
  }

  /** The page of whoever started the server, signed in by the link that it printed. */
  async page(): Promise<Page> {
    if (this.#page) return this.#page
    const page = await this.#open(await this.#browser.newContext())
    await page.goto(this.server.link)
    await page.getByTestId('live-chip').waitFor()
    const kept = await page.evaluate(() => localStorage.getItem('millrace.session'))
    this.#api = new ApiClient(this.server.url, (JSON.parse(kept ?? '{}') as { token: string }).token)
    await this.#api.call('POST', '/api/rooms', { name: home })
    this.#page = page
    return page
  }

  /** Another browser, with the same session. */
  async otherPage(colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    await this.page()
    const kept = await this.#page?.evaluate(() => localStorage.getItem('millrace.session'))
    // What fades in is there at once: axe would take words that are half there for pale ones.
    const context = await this.#browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    await context.addInitScript((text) => localStorage.setItem('millrace.session', text), kept ?? '')
    return this.#open(context)
  }

  /** A browser that nobody is signed in with. */
  async strangerPage(): Promise<Page> {
    return this.#open(await this.#browser.newContext())
  }

  async goTo(path: string): Promise<Page> {
    const page = await this.page()
    await page.goto(this.server.url + path)
    return page
  }

  async #open(context: BrowserContext): Promise<Page> {
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    page.on('pageerror', (fault) => this.faults.push(String(fault)))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text())
    })
    return page
  }

  /** Until what it answers is called, or to the end. */
  async serve(
    extension: Extension,
    {
      slots = 1,
      id = `worker-${this.#workers.length + 1}`,
      room = home,
    }: { readonly slots?: number; readonly id?: string; readonly room?: string } = {},
  ): Promise<() => Promise<void>> {
    await this.page()
    const worker = createWorker({
      slots,
      url: this.server.url,
      token: this.api.token ?? '',
      extensions: [extension],
      room,
      id,
      handleSignals: false,
      vitals: false,
      logger: false,
    })
    this.#workers.push(worker)
    await worker.start()
    return () => worker.stop()
  }
}

function whereIs(command: string): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error(`there is no ${command} on the PATH`)
  return found
}

/** What a person who cannot see or point would stumble over, if it is serious. */
export async function stumbles(page: Page): Promise<readonly string[]> {
  // Through the debugger and not as a script of the page: its policy allows none but its own.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  const found = await page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> }
    }
    return (await judge.run()).violations
  })
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
}
