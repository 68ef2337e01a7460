// What somebody does with a form and with the log of a job.

import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { heldExtension } from '../worker-flow/held-extension.ts'
import { type Open, slow } from './describe-web.ts'
import { hasStatus } from './page-signs.ts'

const freeSchema = { type: 'object', properties: { options: { title: 'Options' } } }

export function formCases(scene: Open): void {
  it('[U120] the JSON that is shown is the JSON that is sent, and half of it is not sent', slow, async () => {
    const held = heldExtension('Free', freeSchema)
    await scene().serve(held.extension)
    const page = await scene().goTo('/rooms/lab?run=room/modifiers/Free')
    const options = page.getByLabel('Options')
    const run = page.getByRole('button', { name: 'Run' })
    const sent = async (): Promise<unknown> => {
      await run.click()
      const { job, end } = await held.began()
      end({})
      return job.data
    }
    await options.fill('{"a": 1}')
    expect(await sent()).toEqual({ options: { a: 1 } })

    await options.fill('{"a": 2')
    await page.getByText('One field needs another look.').waitFor()
    expect(await run.isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Recent inputs' }).click()
    await page.getByRole('menuitem', { name: /options=/ }).click()
    await expect.poll(() => jsonIn(options)).toEqual({ a: 1 })
    expect(await sent()).toEqual({ options: { a: 1 } })
  })

  it(
    '[U116] a form stays with what was typed when its worker goes, when others come, and when it is back',
    slow,
    async () => {
      const { extension } = heldExtension('Steady', {
        type: 'object',
        properties: { note: { type: 'string', title: 'Note' } },
      })
      const leave = await scene().serve(extension)
      const page = await scene().goTo('/rooms/lab?run=room/modifiers/Steady')
      const note = page.getByLabel('Note')
      const run = page.getByRole('button', { name: 'Run' })
      await note.fill('half typed')

      await leave()
      await page.getByText(/^Its worker has gone/).waitFor()
      await page.getByText('no worker', { exact: true }).waitFor()
      expect(await run.isDisabled()).toBe(true)
      await scene().serve(heldExtension('Another').extension)
      await page.getByRole('heading', { level: 2, name: 'Steady' }).waitFor()
      await scene().serve(extension)
      await expect.poll(() => run.isEnabled()).toBe(true)
      expect(await note.inputValue()).toBe('half typed')
    },
  )
}

export function logCases(scene: Open): void {
  it('[U122] the end of a log is left and found again by the keyboard', slow, async () => {
    const held = heldExtension('Talker')
    await scene().serve(held.extension)
    const path = '/api/rooms/lab/extensions/room/modifiers/Talker/submit'
    const { id } = await scene().api.expect<{ id: string }>(201, 'POST', path, { data: {} })
    const { job, end } = await held.began()
    for (let line = 1; line <= 100; line += 1) job.log(`line ${line}`)
    const page = await scene().goTo(`/rooms/lab/jobs/${id}`)
    const box = page.getByRole('log')
    const follow = page.getByRole('button', { name: 'Follow the end' })
    await box.getByText('line 100', { exact: true }).waitFor()

    await box.press('Home')
    await isPressed(follow, false)
    await box.getByText('line 1', { exact: true }).waitFor()
    job.log('line 101')
    await page.getByText('101 lines', { exact: true }).waitFor()
    await expect.poll(() => box.evaluate(({ scrollTop }: Scrolling) => scrollTop)).toBe(0)

    await box.press('End')
    await isPressed(follow, true)
    job.log('line 102')
    await box.getByText('line 102', { exact: true }).waitFor()
    await expect.poll(() => box.evaluate(below)).toBeLessThan(24)
    end({})
    await hasStatus(page, 'completed')
  })
}

interface Scrolling {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

const below = ({ scrollTop, scrollHeight, clientHeight }: Scrolling): number =>
  scrollHeight - scrollTop - clientHeight

async function jsonIn(field: Locator): Promise<unknown> {
  return JSON.parse(await field.inputValue())
}

async function isPressed(button: Locator, pressed: boolean): Promise<void> {
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe(String(pressed))
}

/** A key that is still held down when it repeats, as keyboards do. */
async function hold(page: Page, key: string): Promise<void> {
  for (let times = 0; times < 3; times += 1) await page.keyboard.down(key)
}

export function keyCases(scene: Open): void {
  it('[U121] keys of a job are not heard below a menu or a sheet, and once while held', slow, async () => {
    const held = heldExtension('Keyed')
    await scene().serve(held.extension)
    const path = '/api/rooms/lab/extensions/room/modifiers/Keyed/submit'
    const { id } = await scene().api.expect<{ id: string }>(201, 'POST', path, { data: {} })
    await held.began()
    const page = await scene().goTo(`/rooms/lab/jobs/${id}`)
    await hasStatus(page, 'running')
    const cancels: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/cancel')) cancels.push(request.url())
    })
    await page.getByRole('button', { name: 'Copy as', exact: true }).click()
    await page.getByRole('menu').waitFor()
    for (const key of ['c', 'g', 'j', 'Escape']) await page.keyboard.press(key)
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('This sheet').waitFor()
    await page.keyboard.press('c')
    await page.keyboard.press('?')
    await sheet.waitFor({ state: 'hidden' })
    expect(cancels).toEqual([])
    expect(page.url()).toContain(id)

    await hold(page, 'c')
    await hasStatus(page, 'cancelled')
    await page.keyboard.up('c')
    expect(cancels).toHaveLength(1)
    page.removeAllListeners('request')
  })
}

export function paletteCases(scene: Open): void {
  it(
    '[U123] the palette opens from within a field, and finds a job of the room by its id',
    slow,
    async () => {
      const { jobs } = await scene().api.expect<{ jobs: { id: string }[] }>(200, 'GET', '/api/rooms/lab/jobs')
      const id = jobs[0]?.id ?? ''
      const page = await scene().goTo('/rooms/lab?run=builtin/analysis/Histogram')
      await page.getByLabel('Samples', { exact: true }).press('Control+k')
      await page.getByPlaceholder(palettePlaceholder).fill(id)
      await page.getByText('Show this job in lab').waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/rooms/lab/jobs/${id}`)
    },
  )

  it('[U132] the palette finds extensions and jobs of rooms that one is not in', slow, async () => {
    const { api } = scene()
    await api.call('POST', '/api/rooms', { name: 'attic' })
    const path = '/api/rooms/attic/extensions/builtin/analysis/Histogram/submit'
    const { id } = await api.expect<{ id: string }>(201, 'POST', path, { data: { samples: 100 } })
    await scene().serve(heldExtension('Distant').extension, { room: 'attic' })
    await scene().goTo('/rooms/lab')
    const page = await scene().goTo('/jobs')
    const field = page.getByPlaceholder(palettePlaceholder)
    await page.getByRole('button', { name: 'Find or do' }).click()
    await field.fill('Distant')
    await page.getByText('modifiers, in attic').click()
    await page.waitForURL('**/rooms/attic?run=room%2Fmodifiers%2FDistant')
    await scene().goTo('/workers')
    await page.getByRole('button', { name: 'Find or do' }).click()
    await field.fill(id.replace(/.$/, (last) => (last === '0' ? '1' : '0')))
    await page.getByText('No room that you may see has this job').waitFor()
    await field.fill(id)
    await page.getByText('Show this job in attic').click()
    await page.waitForURL(`**/rooms/attic/jobs/${id}`)
  })
}

const palettePlaceholder = 'A page, a room, an extension, or the whole id of a job…'
