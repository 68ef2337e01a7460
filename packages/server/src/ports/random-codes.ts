// The port to dice that nobody can foresee, and to the digest under which a code is kept.

export interface RandomCodes {
  /** 256 bits as text that can stand in a link. */
  code(): string
  /** Lower-case letters and digits, so many. */
  letters(count: number): string
  /** Who reads the store learns no code from it. */
  digest(code: string): string
}
