// Numbers and texts of a message as two plain values: a row of numbers, and one long text that some of them cut into
// pieces. One long text is the cheapest thing to copy between threads, where a thousand short ones cost more than the
// rest of the way; and the journal keeps the same two values, so nothing is encoded twice.

export interface Packet {
  readonly numbers: ArrayLike<number>
  readonly text: string
}

// A short row is copied faster as an array, a long one many times faster as memory.
const longRow = 64

// Where every row is gathered before its length is known: a row of its own for each packet would be copied a dozen times
// while it grows, and all of that is garbage. So a packet must be finished before the next is begun.
let row = new Float64Array(4096)

export class PacketWriter {
  #length = 0
  #text = ''

  number(value: number): void {
    if (this.#length === row.length) row = longer(row)
    row[this.#length++] = value
  }

  numberOrNull(value: number | null | undefined): void {
    this.number(value ?? Number.NaN)
  }

  text(value: string): void {
    this.number(value.length)
    this.#text += value
  }

  textOrNull(value: string | null | undefined): void {
    if (value === null || value === undefined) this.number(Number.NaN)
    else this.text(value)
  }

  finish(): Packet {
    const long = this.#length >= longRow
    const numbers = long ? row.slice(0, this.#length) : Array.from(row.subarray(0, this.#length))
    return { numbers, text: this.#text }
  }
}

function longer(full: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const twice = new Float64Array(2 * full.length)
  twice.set(full)
  return twice
}

/** Reads in the order in which it was written. */
export class PacketReader {
  readonly #numbers: ArrayLike<number>
  readonly #text: string
  #at = 0
  #textAt = 0

  constructor({ numbers, text }: Packet) {
    this.#numbers = numbers
    this.#text = text
  }

  number(): number {
    return this.#numbers[this.#at++] as number
  }

  numberOrNull(): number | null {
    const value = this.number()
    return Number.isNaN(value) ? null : value
  }

  text(): string {
    return this.#cut(this.number())
  }

  textOrNull(): string | null {
    const length = this.number()
    return Number.isNaN(length) ? null : this.#cut(length)
  }

  many<Item>(read: () => Item): Item[] {
    const items: Item[] = []
    for (let left = this.number(); left > 0; left--) items.push(read())
    return items
  }

  #cut(length: number): string {
    const from = this.#textAt
    this.#textAt += length
    return this.#text.slice(from, this.#textAt)
  }
}
