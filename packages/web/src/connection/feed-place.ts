// Where a client is in the feed of a room. Batches say from–to; what does not follow on means that something was missed,
// and then everything about the room is fetched again.

export interface FeedPlace {
  readonly epoch: string
  /** The number that comes next; null until the first is heard. */
  readonly next: number | null
}

export interface Span {
  readonly epoch: string
  readonly from: number
  readonly to: number
}

export interface Followed {
  /** `known`: told before, to be left alone. `gap`: apply it, and fetch what was missed. */
  readonly verdict: 'apply' | 'known' | 'gap'
  readonly place: FeedPlace
}

export function follow(place: FeedPlace, { epoch, from, to }: Span): Followed {
  const after: FeedPlace = { epoch, next: to + 1 }
  if (epoch !== place.epoch) return { verdict: 'gap', place: after }
  if (place.next === null || from === place.next) return { verdict: 'apply', place: after }
  if (to < place.next) return { verdict: 'known', place }
  // A batch that begins before and ends after what is known brings all that is new.
  return { verdict: from > place.next ? 'gap' : 'apply', place: after }
}

export interface Joined {
  readonly epoch: string
  readonly sequence: number | null
}

/** After a connection was lost: whether anything happened in between that was not heard. */
export function rejoin(
  before: FeedPlace | null,
  { epoch, sequence }: Joined,
): FeedPlace & { missed: boolean } {
  const place = { epoch, next: sequence === null ? null : sequence + 1 }
  const missed =
    before === null || before.epoch !== epoch || place.next === null || before.next !== place.next
  return { ...place, missed }
}
