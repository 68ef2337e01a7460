// The lines that connect a worker from a terminal. They run as they are where Millrace is installed; elsewhere npx is kept
// from fetching whatever package has that name.

export interface WorkerPlace {
  readonly url: string
  readonly room: string
  readonly token: string
}

export function connectSnippet(language: 'ts' | 'py', { url, room, token }: WorkerPlace): string {
  const place = [
    '# in the folder where Millrace is installed',
    `export MILLRACE_URL=${url}`,
    `export MILLRACE_ROOM=${room}`,
    `export MILLRACE_TOKEN=${token}`,
  ]
  return [...place, '', ...steps[language]].join('\n')
}

const steps: Readonly<Record<'ts' | 'py', readonly string[]>> = {
  ts: [
    '# writes an extension to begin with: a name, a schema, a function',
    'npx --no-install millrace init worker my-worker',
    '# serves it, and again whenever you save the file',
    'npx --no-install millrace worker my-worker/worker.ts --watch',
  ],
  py: [
    '# writes an extension to begin with: a name, a schema, a function',
    'npx --no-install millrace init worker --lang py my-worker',
    'python3 -m venv my-worker/.venv',
    'my-worker/.venv/bin/python -m pip install -r my-worker/requirements.txt',
    '# serves it',
    'my-worker/.venv/bin/python my-worker/worker.py',
  ],
}
