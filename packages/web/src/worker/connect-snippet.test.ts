import { describe, expect, it } from 'vitest'
import { connectSnippet } from './connect-snippet.ts'

const place = { url: 'http://127.0.0.1:7717', room: 'lab', token: 'abc' }

describe('what connects a worker', () => {
  it('[U125] says where to run it, and with which server, room and token', () => {
    expect(connectSnippet('ts', place)).toBe(
      [
        '# in the folder where Millrace is installed',
        'export MILLRACE_URL=http://127.0.0.1:7717',
        'export MILLRACE_ROOM=lab',
        'export MILLRACE_TOKEN=abc',
        '',
        '# writes an extension to begin with: a name, a schema, a function',
        'npx --no-install millrace init worker my-worker',
        '# serves it, and again whenever you save the file',
        'npx --no-install millrace worker my-worker/worker.ts --watch',
      ].join('\n'),
    )
  })

  it.each(['ts', 'py'] as const)('[U125] as %s never lets npx fetch a package', (language) => {
    const asked = connectSnippet(language, place)
      .split('\n')
      .filter((line) => line.includes('npx'))
    expect(asked.length).toBeGreaterThan(0)
    for (const line of asked) expect(line).toMatch(/^npx --no-install millrace /)
  })
})
