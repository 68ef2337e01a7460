// A problem on a bare connection, where there is no answer to write it through.

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemBody } from '../refusal/problem-of.ts'

export function endWithProblem(socket: Duplex, problem: ProblemBody): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end([...head, '', body].join('\r\n'), () => socket.destroy())
}
