// A job's result as it is kept: JSON text within its limit.

import { type Refusal, refuse, utf8Bytes } from '@millrace/domain'

export function resultText(result: unknown, maxBytes: number): string | undefined | Refusal {
  if (result === undefined) return undefined
  const text = JSON.stringify(result)
  if (text.length * 3 <= maxBytes || utf8Bytes(text) <= maxBytes) return text
  return refuse(
    'json_too_large',
    `A result has at most ${maxBytes} bytes; store larger data elsewhere and name it.`,
    {
      limit: maxBytes,
    },
  )
}
