// The faults every store throws when it cannot be reached or cannot write. The edge answers them with 503.

export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
  /** Whether a write may have happened all the same; sending the same change again learns which. */
  readonly outcomeUnknown: boolean

  /** It is there and refused this, which no other try will change. */
  readonly answered: boolean

  constructor(
    message: string,
    options: { cause?: unknown; outcomeUnknown?: boolean; answered?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.outcomeUnknown = options.outcomeUnknown ?? false
    this.answered = options.answered ?? false
  }
}

/** There is no room for anything new, while what is there can still be changed and finished. */
export class StoreFull extends StoreUnavailable {
  override readonly name = 'StoreFull'
}
