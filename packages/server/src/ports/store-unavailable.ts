// The fault every store throws when it cannot be reached or cannot write. The edge answers it with 503.

export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** Whether a write may have happened all the same; sending the same change again learns which. */
  readonly outcomeUnknown: boolean

  constructor(message: string, options: { cause?: unknown; outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.outcomeUnknown = options.outcomeUnknown ?? false
  }
}
