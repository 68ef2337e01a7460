// A job as a command or a program that submits the same again. Secrets stay where they are: what is copied names the
// variable that holds the token, never the token.

import { addressOf } from '../connection/api.ts'

export interface Copied {
  readonly origin: string
  readonly room: string
  readonly scope: string
  readonly category: string
  readonly extension: string
  readonly data: unknown
}

export type Language = 'CLI' | 'curl' | 'Python' | 'TypeScript'

export function copyAs(language: Language, job: Copied): string {
  return writers[language](job)
}

const writers: Readonly<Record<Language, (job: Copied) => string>> = {
  CLI: ({ room, category, extension, data }) =>
    `millrace submit ${category}/${extension} --room ${room} --data ${quoted(JSON.stringify(data))} --follow`,
  curl: (job) =>
    [
      `curl -X POST ${quoted(addressOfJob(job))} \\`,
      '  -H "authorization: Bearer $MILLRACE_TOKEN" \\',
      "  -H 'content-type: application/json' \\",
      `  -d ${quoted(JSON.stringify({ data: job.data }))}`,
    ].join('\n'),
  Python: (job) =>
    [
      'import json, os, urllib.request',
      '',
      `data = json.loads(${JSON.stringify(JSON.stringify(job.data))})`,
      'request = urllib.request.Request(',
      `    ${JSON.stringify(addressOfJob(job))},`,
      '    data=json.dumps({"data": data}).encode(),',
      '    headers={',
      '        "authorization": "Bearer " + os.environ["MILLRACE_TOKEN"],',
      '        "content-type": "application/json",',
      '    },',
      ')',
      'print(json.load(urllib.request.urlopen(request))["id"])',
    ].join('\n'),
  TypeScript: (job) =>
    [
      `const reply = await fetch(${JSON.stringify(addressOfJob(job))}, {`,
      "  method: 'POST',",
      '  headers: {',
      `    authorization: 'Bearer ' + process.env.MILLRACE_TOKEN,`,
      "    'content-type': 'application/json',",
      '  },',
      `  body: JSON.stringify({ data: ${JSON.stringify(job.data)} }),`,
      '})',
      'console.log((await reply.json()).id)',
    ].join('\n'),
}

function addressOfJob({ origin, room, scope, category, extension }: Copied): string {
  const path = '/api/rooms/{room}/extensions/{scope}/{category}/{name}/submit'
  return origin + addressOf(path, { room, scope, category, name: extension })
}

/** For a shell: nothing within is read by it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
