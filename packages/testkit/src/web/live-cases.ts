// What a page does when its joins get lost, and when lines overtake the log that they belong to.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { Inbox } from '../server-flow/inbox.ts'
import { type HeldJob, heldExtension } from '../worker-flow/held-extension.ts'
import { type Open, slow } from './describe-web.ts'
import { isLive } from './page-signs.ts'
import type { WebScene } from './web-scene.ts'

export function liveCases(scene: Open): void {
  it(
    '[U140, U141] a join that got lost is tried again, and until it is answered no page is live',
    slow,
    async () => {
      const page = await scene().otherPage()
      const joins = new Inbox<() => void>()
      await page.routeWebSocket(/socket\.io/, (client) => {
        const server = client.connectToServer()
        client.onMessage((message) => {
          const pass = (): void => server.send(message)
          if (String(message).includes('"room:join"')) joins.push(pass)
          else pass()
        })
      })
      const chip = page.getByTestId('live-chip').getByRole('status')
      await page.goto(`${scene().server.url}/rooms/lab`)
      // The first is never passed on.
      await joins.next()
      const pass = await joins.next()
      expect(await chip.textContent()).toBe('catching up')
      pass()
      await isLive(page)
      await page.context().close()
    },
  )
}

export function lineCases(scene: Open): void {
  it('[U142] a line that is told while the log is fetched is in it', slow, async () => {
    const { id, job, end } = await begin(scene(), 'Hasty')
    const page = await scene().otherPage()
    const { sent, received } = framesOf(page)
    const answers = new Inbox<() => Promise<void>>()
    await page.route(`**/api/rooms/lab/jobs/${id}/logs*`, async (route) => {
      const response = await route.fetch()
      answers.push(() => route.fulfill({ response }))
    })
    await page.goto(`${scene().server.url}/rooms/lab`)
    await isLive(page)

    await page.locator(`[data-job="${id}"]`).first().click()
    const answer = await answers.next()
    const join = await sent.next((frame) => frame.includes('"room:join"') && frame.includes(id))
    const number = /^42(\d+)/.exec(join)?.[1]
    await received.next((frame) => frame.startsWith(`43${number}[`))
    job.log('overtook the log')
    await received.next((frame) => frame.includes('overtook the log'))
    await answer()
    await page.getByRole('log').getByText('overtook the log', { exact: true }).waitFor()
    end({})
    await page.context().close()
  })

  it('[U143] a line that got lost is fetched when the number of the next one shows it', slow, async () => {
    const { id, job, end } = await begin(scene(), 'Gappy')
    const page = await scene().otherPage()
    const lost = new Inbox<string>()
    await page.routeWebSocket(/socket\.io/, (client) => {
      client.connectToServer().onMessage((message) => {
        if (String(message).includes('lost on its way')) lost.push(String(message))
        else client.send(message)
      })
    })
    await page.goto(`${scene().server.url}/rooms/lab/jobs/${id}`)
    await isLive(page)
    job.log('lost on its way')
    await lost.next()
    job.log('arrived')
    for (const line of ['lost on its way', 'arrived'])
      await page.getByRole('log').getByText(line, { exact: true }).waitFor()
    end({})
    await page.context().close()
  })
}

async function begin(scene: WebScene, name: string): Promise<HeldJob & { readonly id: string }> {
  const held = heldExtension(name)
  await scene.serve(held.extension)
  const path = `/api/rooms/lab/extensions/room/modifiers/${name}/submit`
  const { id } = await scene.api.expect<{ id: string }>(201, 'POST', path, { data: {} })
  return { id, ...(await held.began()) }
}

/** What goes over the sockets of a page, from now on. */
function framesOf(page: Page): { readonly sent: Inbox<string>; readonly received: Inbox<string> } {
  const [sent, received] = [new Inbox<string>(), new Inbox<string>()]
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)))
    socket.on('framereceived', ({ payload }) => received.push(String(payload)))
  })
  return { sent, received }
}
