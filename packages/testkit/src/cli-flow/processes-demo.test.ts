import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repository, run } from './command-process.ts'

it('[N57] the demo runs every command of its tour as it should, and leaves nothing behind', async () => {
  const { code, out, err } = await run(process.execPath, [join(repository, 'scripts/demo.ts')])
  expect(err).not.toContain('demo:')
  expect(out.match(/^\$ millrace /gm)).toHaveLength(6)
  expect(out).toContain('completed')
  expect(out).toContain('nothing of it is left')
  expect(code).toBe(0)
}, 120_000)
