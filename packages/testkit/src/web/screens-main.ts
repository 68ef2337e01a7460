// npm run screens: takes the pictures of docs/screens anew, in a real browser before a real server with jobs of a morning.

import { join } from 'node:path'
import { repository } from '../cli-flow/command-process.ts'
import { ApiClient } from '../server/api-client.ts'
import { hasStatus, isLive } from './page-signs.ts'
import { refine, relax, spectrum } from './sample-extensions.ts'
import { type Page, WebScene } from './web-scene.ts'

const folder = join(repository, 'docs/screens')
const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

const scene = await WebScene.open()
try {
  await scene.page()
  await scene.api.expect(201, 'POST', '/api/rooms', { name: 'course' })
  await scene.serve(relax, { slots: 2, id: 'gpu-box' })
  await scene.serve(spectrum, { id: 'ada-laptop' })
  await scene.serve(refine, { id: 'cluster-17' })
  const ada = await member('ada')
  const grace = await member('grace')

  const drawn = await submit(ada, 'lab', 'room/analysis/Spectrum', { width: 18 })
  await ended(drawn)
  for (const model of ['a', 'b'])
    await ended(await submit(grace, 'lab', 'room/selections/RefineModel', { model }))
  await ended(await submit(scene.api, 'lab', 'builtin/analysis/Histogram', { samples: 50_000 }))
  await ended(await submit(ada, 'lab', 'builtin/analysis/MonteCarloPi', { samples: 3_000_000 }))
  const shown = await submit(scene.api, 'lab', 'room/modifiers/RelaxStructure', relaxation('FIRE'))
  await submit(grace, 'lab', 'room/modifiers/RelaxStructure', relaxation('BFGS'))
  for (const method of ['CG', 'BFGS', 'FIRE'])
    await submit(ada, 'lab', 'room/modifiers/RelaxStructure', relaxation(method))
  for (let jobs = 0; jobs < 2; jobs += 1)
    await submit(scene.api, 'course', 'room/modifiers/RelaxStructure', relaxation('FIRE'))

  await take('job', `/rooms/lab/jobs/${shown}`, {
    scheme: 'dark',
    ready: (page) => page.getByText(/^2[0-9] % /).waitFor(),
  })
  await take('room', '/rooms/lab?run=room/modifiers/RelaxStructure', {
    ready: async (page) => {
      await page.getByRole('button', { name: 'Run' }).waitFor()
      await page.getByText('Everybody').click()
      await page.locator('[data-job]').nth(8).waitFor()
    },
  })
  await take('placement', '/placement', {
    ready: (page) => page.getByRole('region', { name: 'The network' }).getByText(/wait/).first().waitFor(),
  })
  await take('phone', `/rooms/lab/jobs/${drawn}`, {
    size: phone,
    ready: (page) => page.getByRole('img', { name: /^Vibrations/ }).waitFor(),
  })
} finally {
  await scene.close()
}

function relaxation(method: string): unknown {
  return { steps: 600, force: 0.05, method }
}

async function member(user: string): Promise<ApiClient> {
  const account = { user, password: 'a good long password' }
  await scene.api.expect(201, 'POST', '/api/users', { ...account, role: 'user' })
  const { token } = await scene.api.expect<{ token: string }>(200, 'POST', '/api/auth/login', account)
  return new ApiClient(scene.server.url, token)
}

async function submit(api: ApiClient, room: string, extension: string, data: unknown): Promise<string> {
  const path = `/api/rooms/${room}/extensions/${extension}/submit`
  return (await api.expect<{ id: string }>(201, 'POST', path, { data })).id
}

/** As its page says. */
async function ended(id: string): Promise<void> {
  const page = await scene.goTo(`/rooms/lab/jobs/${id}`)
  await Promise.race(['completed', 'failed'].map((status) => hasStatus(page, status)))
}

interface Shot {
  readonly scheme?: 'light' | 'dark'
  readonly size?: { readonly width: number; readonly height: number }
  readonly ready: (page: Page) => Promise<unknown>
}

async function take(
  name: string,
  path: string,
  { scheme = 'light', size = desk, ready }: Shot,
): Promise<void> {
  const page = await scene.otherPage(scheme)
  await page.setViewportSize(size)
  await page.goto(scene.server.url + path)
  await isLive(page)
  await ready(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
  console.log(`docs/screens/${name}.png`)
}
