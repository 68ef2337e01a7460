import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type Copied, copyAs } from './copy-as.ts'

const job: Copied = {
  origin: 'http://127.0.0.1:7717',
  room: 'lab',
  scope: 'room',
  category: 'analysis',
  extension: 'Pi',
  data: { text: `it's $HOME \`id\` "q" \\ \n ü`, steps: 3 },
}

describe('a job as a command', () => {
  it('[U45] hands a shell exactly the data, whatever stands in it', () => {
    const command = copyAs('CLI', job).replace('millrace', 'printf "%s\\0"')
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\0')
    expect(words.slice(0, 5)).toEqual(['submit', 'analysis/Pi', '--room', 'lab', '--data'])
    expect(JSON.parse(words[5] ?? '')).toEqual(job.data)
  })

  it('[U45] names the variable of the token and never a token', () => {
    for (const language of ['curl', 'Python', 'TypeScript'] as const) {
      const text = copyAs(language, job)
      expect(text).toContain('MILLRACE_TOKEN')
      expect(text).toContain('/api/rooms/lab/extensions/room/analysis/Pi/submit')
    }
  })

  it('[U45] is a program that another language reads as it is meant', () => {
    const [, line = ''] = /^data = (.*)$/m.exec(copyAs('Python', job)) ?? []
    const literal = line.replace('json.loads(', '').replace(/\)$/, '')
    expect(JSON.parse(JSON.parse(literal) as string)).toEqual(job.data)
  })
})
