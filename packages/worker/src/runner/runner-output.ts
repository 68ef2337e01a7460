// What a runner's job writes to stdout and stderr, as lines for its log. A job may write faster than anybody reads and
// more than anybody keeps: what may be told is a store of lines and characters that refills with time, and of what
// exceeds it the newest is kept. How much was left out is said in its place.

import { StringDecoder } from 'node:string_decoder'

interface Amount {
  lines: number
  chars: number
}

/** As much as the server keeps of a job may come at once, … */
const full: Readonly<Amount> = { lines: 1_000, chars: 200_000 }
/** … a page of text a second for ever, … */
const perSecond: Readonly<Amount> = { lines: 50, chars: 10_000 }
/** … and what was written just before the end always, because it explains the end. */
const reserve: Readonly<Amount> = { lines: 50, chars: 20_000 }

const maxLineLength = 10_000

export class RunnerOutput {
  readonly #decoders = { out: new StringDecoder('utf8'), err: new StringDecoder('utf8') }
  readonly #begun = { out: '', err: '' }
  #pending: string[] = []
  #pendingChars = 0
  /** Stood before the first pending line. */
  #leftOut: Amount = { lines: 0, chars: 0 }
  #store: Amount = { ...full }
  #filledAt: number

  constructor(now: number) {
    this.#filledAt = now
  }

  add(stream: 'out' | 'err', bytes: Buffer): void {
    const text = this.#begun[stream] + this.#decoders[stream].write(bytes)
    const lines = text.split('\n')
    this.#begun[stream] = this.#cut(lines.pop() ?? '')
    for (const line of lines) this.#push(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  /** What may be told now, in order. */
  take(now: number): readonly string[] {
    this.#refill(now)
    let [count, chars] = [0, 0]
    for (const { length } of this.#pending) {
      if (count + 1 > this.#store.lines || chars + length > this.#store.chars) break
      count += 1
      chars += length
    }
    const told = this.#tell(count)
    this.#keepNewest(reserve)
    return told
  }

  /** The job has ended: what it has begun to write is a line as well. */
  takeLast(now: number): readonly string[] {
    for (const stream of ['out', 'err'] as const) {
      const rest = this.#begun[stream] + this.#decoders[stream].end()
      if (rest !== '') this.#push(rest)
      this.#begun[stream] = ''
    }
    this.#refill(now)
    const { lines, chars } = this.#store
    this.#keepNewest({ lines: Math.max(lines, reserve.lines), chars: Math.max(chars, reserve.chars) })
    return this.#tell(this.#pending.length)
  }

  #push(line: string): void {
    const cut = this.#cut(line)
    this.#pending.push(cut)
    this.#pendingChars += cut.length
    // Now and then only: a flood must not be moved about for each of its lines.
    if (this.#pending.length > 2 * full.lines || this.#pendingChars > 2 * full.chars) this.#keepNewest(full)
  }

  #cut(line: string): string {
    if (line.length <= maxLineLength) return line
    this.#leftOut.chars += line.length - maxLineLength
    return line.slice(0, maxLineLength)
  }

  #tell(count: number): readonly string[] {
    if (count === 0) return []
    const told = this.#shift(count)
    this.#store.lines -= count
    this.#store.chars -= charsIn(told)
    const { lines, chars } = this.#leftOut
    this.#leftOut = { lines: 0, chars: 0 }
    if (chars === 0 && lines === 0) return told
    return [`… ${lines} lines of output (${chars} characters) were left out …`, ...told]
  }

  #keepNewest(most: Readonly<Amount>): void {
    let first = Math.max(0, this.#pending.length - Math.floor(most.lines))
    let rest = this.#pendingChars - charsIn(this.#pending.slice(0, first))
    for (; rest > most.chars && first < this.#pending.length; first += 1) {
      rest -= this.#pending[first]?.length ?? 0
    }
    if (first === 0) return
    this.#leftOut.lines += first
    this.#leftOut.chars += charsIn(this.#shift(first))
  }

  #shift(count: number): string[] {
    const first = this.#pending.splice(0, count)
    this.#pendingChars -= charsIn(first)
    return first
  }

  #refill(now: number): void {
    const seconds = Math.max(0, now - this.#filledAt) / 1_000
    this.#filledAt = now
    this.#store = {
      lines: Math.min(full.lines, Math.max(0, this.#store.lines) + seconds * perSecond.lines),
      chars: Math.min(full.chars, Math.max(0, this.#store.chars) + seconds * perSecond.chars),
    }
  }
}

function charsIn(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
