// Where requests reach the writer: writes of a group go first and together, then what is asked of its memory, so that
// nobody is told of a change that is not on disk. It sees to it that the tables never stay behind for long.

import { answerOf, faultOf } from './answer-of.ts'
import type { DiskRoom } from './disk-room.ts'
import type { Packet } from './packet.ts'
import type { SyncedAnswers } from './synced-answers.ts'
import type { Answer, AnswerGroup, RequestGroup, UnsettledRequest } from './thread-messages.ts'
import { settleAfterMs, type Writer } from './writer.ts'

type DeskRequest = Packet | UnsettledRequest

/** A request for what only the tables can tell, and the last entry they must have for it. */
interface Awaiting {
  readonly request: number
  readonly entry: number
}

// Shorter than a disk counts as full after a write that failed, so that one that stays full is told of without a break.
const retryAfterMs = 250

// A slice is half a millisecond, and whoever is woken on its processor meanwhile waits for its end, or longer. So it comes when
// nobody has written for a moment: a job's changes follow each other within one millisecond, and then its worker runs.
const quietMs = 2
// A store that is never quiet for so long would never settle without hurry.
const disturbedAtMost = 10

export class WriterDesk {
  readonly #writer: Writer
  readonly #behind: Int32Array
  readonly #room: DiskRoom
  readonly #answers: SyncedAnswers
  #timer: NodeJS.Timeout | null = null
  #slice: NodeJS.Immediate | null = null
  #rest: NodeJS.Timeout | null = null
  #disturbed = 0
  #givesWay = false
  #isClosed = false
  #awaiting: readonly Awaiting[] = []

  constructor(writer: Writer, answers: SyncedAnswers, behind: Int32Array, room: DiskRoom) {
    this.#writer = writer
    this.#answers = answers
    this.#behind = behind
    this.#room = room
  }

  /** Answers are sent when what they tell of is on disk; the tables are brought further after that, or meanwhile in a hurry. */
  serve(groups: readonly RequestGroup[]): void {
    this.#answers.add(this.#answer(groups))
    this.#settleInTime()
    // Whoever is answered now, or when the disk has it, reads his answer meanwhile and claims again.
    this.#writer.readAhead()
  }

  /** Whether somebody waits for the disk, or the tables for the writer. */
  get isBusy(): boolean {
    return this.#answers.isSyncing || this.#slice !== null
  }

  /** Calls back when everybody is answered and the tables have everything. */
  close(done: () => void): void {
    this.#answers.whenSent(() => {
      this.#stopSettling()
      try {
        this.#writer.settle()
        this.#tellAwaiting()
      } catch (cause) {
        // A full disk loses nothing: the journal stays where it is.
        this.#failAwaiting(cause)
      }
      this.#isClosed = true
      done()
    })
  }

  #answer(groups: readonly RequestGroup[]): AnswerGroup[] {
    const requests = groups.flatMap((group) => group.requests as DeskRequest[])
    const writes = requests.filter((request) => 'numbers' in request)
    const written = writes.length === 0 ? [] : this.#write(writes, groups.at(-1)?.at ?? 0)
    return groups.map(({ first, requests }) => ({
      first,
      answers: (requests as DeskRequest[]).map((request, index) =>
        'numbers' in request ? (written.shift() as Answer) : this.#ask(request, first + index),
      ),
    }))
  }

  #write(packets: readonly Packet[], at: number): Answer[] {
    try {
      const answers = this.#writer.write(packets, at)
      if (!this.#writer.isSettled) Atomics.store(this.#behind, 0, 1)
      return answers.map((value) => ({ value }))
    } catch (cause) {
      this.#room.missed(cause)
      // A fault here as well ends the thread: it would not know what it has.
      this.#writer.recover()
      return packets.map(() => faultOf(cause))
    }
  }

  #ask(request: UnsettledRequest, number: number): Answer | null {
    const answer = answerOf(() => this.#find(request))
    return 'value' in answer && answer.value === null ? this.#whenTold(number) : answer
  }

  /** Null where only the tables can tell. */
  #find(request: UnsettledRequest): unknown {
    const { state } = this.#writer
    switch (request.op) {
      case 'read':
        return state.read(request.partition, request.keys)
      case 'counters':
        return state.counters(request.partition)
      case 'queues':
        return state.queues(request.partition)
      case 'due':
        return state.due(request.now, request.limit)
      case 'log':
        return state.log.page(request.after, request.limit)
      case 'settle':
        return null
    }
  }

  #whenTold(request: number): Answer | null {
    if (this.#writer.isSettled) return { value: null }
    this.#awaiting = [...this.#awaiting, { request, entry: this.#writer.lastEntry }]
    return null
  }

  #tellAwaiting(): void {
    const isTold = ({ entry }: Awaiting): boolean => entry <= this.#writer.settledEntry
    const told = this.#awaiting.filter(isTold)
    if (told.length === 0) return
    this.#awaiting = this.#awaiting.filter((each) => !isTold(each))
    this.#answers.add(told.map(({ request }) => ({ first: request, answers: [{ value: null }] })))
  }

  #failAwaiting(cause: unknown): void {
    const failed = this.#awaiting
    this.#awaiting = []
    if (failed.length === 0) return
    this.#answers.add(failed.map(({ request }) => ({ first: request, answers: [faultOf(cause)] })))
  }

  #settleInTime(): void {
    if (this.#slice) return
    const isPressing = this.#writer.isInHurry || this.#isAwaited
    if (this.#writer.isSettling && !isPressing) this.#settleWhenQuiet()
    else if (this.#writer.isSettling || this.#writer.isFull || this.#isAwaited) this.#settleInSlices()
    else this.#settleLater()
  }

  #settleLater(ms: number = settleAfterMs): void {
    if (this.#writer.isSettled || this.#timer || this.#rest || this.#isClosed) return
    this.#timer = setTimeout(() => this.#settleInSlices(), ms)
  }

  #settleWhenQuiet(): void {
    if (this.#timer || this.#isClosed) return
    if (this.#rest === null) {
      this.#disturbed = 0
      this.#rest = setTimeout(() => this.#settleInSlices(), quietMs)
    } else if (this.#disturbed++ < disturbedAtMost) this.#rest.refresh()
  }

  // Between the slices whoever has written meanwhile is served. A fault (a full disk) loses nothing, and whoever waits for
  // the tables meets it as his own.
  #settleInSlices(): void {
    this.#stopSettling()
    if (this.#isClosed) return
    this.#slice = setImmediate(() => {
      this.#slice = null
      if (this.#answers.isSyncing && !this.#writer.isInHurry && !this.#isAwaited) return this.#giveWay()
      try {
        this.#writer.settleSlice()
      } catch (cause) {
        this.#room.missed(cause)
        this.#failAwaiting(cause)
        return this.#settleLater(retryAfterMs)
      }
      this.#tellAwaiting()
      if (this.#writer.isSettled) Atomics.store(this.#behind, 0, 0)
      this.#settleInTime()
    })
  }

  // A busy writer keeps the thread that syncs from a processor, and then the answer from whoever waits for it.
  #giveWay(): void {
    if (this.#givesWay) return
    this.#givesWay = true
    this.#answers.whenSent(() => {
      this.#givesWay = false
      this.#settleInSlices()
    })
  }

  get #isAwaited(): boolean {
    return this.#awaiting.length > 0
  }

  #stopSettling(): void {
    for (const timer of [this.#timer, this.#rest]) if (timer) clearTimeout(timer)
    if (this.#slice) clearImmediate(this.#slice)
    this.#timer = null
    this.#rest = null
    this.#slice = null
  }
}
