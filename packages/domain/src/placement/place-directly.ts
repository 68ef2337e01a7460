// Placing without a flow: each class onto its workers, best fit. Tried first, because most of the time everything fits;
// and used last, to fill the holes that packing left after the flow.

import { extensionHeadroom } from './outlets.ts'
import { capableWorkers, headroom, type Problem } from './problem.ts'
import type { Stock } from './stock.ts'

/** Whether everything on offer that any worker could hold now has its place. If not, the stock is half full. */
export function placeDirectly(problem: Problem, stock: Stock): boolean {
  const wanted: number[] = []
  const allowance = new Allowance(problem)
  let slots = 0
  for (const worker of problem.workers.keys()) slots += stock.slots(worker)
  for (const [one, count] of problem.offered.entries()) {
    if (count === 0 || !stock.hasPlaceFor(one)) continue
    slots -= count
    if (slots < 0 || !allowance.spend(one, count)) return false
    wanted.push(one)
  }
  const { capablePools, offered } = problem
  wanted.sort((a, b) => capablePools[a]!.length - capablePools[b]!.length || a - b)
  return wanted.every(
    (one) => stock.place(one, capableWorkers(problem, one), offered[one]!) === offered[one]!,
  )
}

/** Job by job, the room that stands lowest first, while some worker has a hole for something. */
export function topUp(problem: Problem, stock: Stock): void {
  const { offered, roomOf } = problem
  const allowance = new Allowance(problem)
  const candidates = new Map<number, number[]>()
  for (const [one, count] of offered.entries()) {
    allowance.spend(one, stock.placed(one))
    if (stock.placed(one) === count || !stock.hasPlaceFor(one)) continue
    candidates.set(roomOf[one]!, [...(candidates.get(roomOf[one]!) ?? []), one])
  }
  while (candidates.size > 0) {
    const room = lowestRoom(problem, allowance, candidates.keys())
    const classes = candidates.get(room)!
    const one = firstInTurn(problem, stock, classes)
    const isAllowed = stock.placed(one) < offered[one]! && allowance.has(one, 1)
    if (isAllowed && stock.place(one, capableWorkers(problem, one), 1) === 1) {
      allowance.spend(one, 1)
      continue
    }
    classes.splice(classes.indexOf(one), 1)
    if (classes.length === 0) candidates.delete(room)
  }
}

function lowestRoom({ rooms, roomRank }: Problem, allowance: Allowance, among: Iterable<number>): number {
  let lowest = -1
  let lowestLevel = Number.POSITIVE_INFINITY
  for (const room of among) {
    const { running, weight } = rooms[room]!
    const level = (running + allowance.spentBy(room)) / (weight ?? 1)
    if (level > lowestLevel || (level === lowestLevel && roomRank[room]! > roomRank[lowest]!)) continue
    lowest = room
    lowestLevel = level
  }
  return lowest
}

function firstInTurn(
  { bandOf, classes, classRank }: Problem,
  stock: Stock,
  among: readonly number[],
): number {
  const standing = (one: number): number => (classes[one]!.running ?? 0) + stock.placed(one)
  return among.reduce((first, one) => {
    const order =
      bandOf[first]! - bandOf[one]! || standing(one) - standing(first) || classRank[one]! - classRank[first]!
    return order < 0 ? one : first
  })
}

/** What the limits of rooms, extensions and the whole still allow. */
class Allowance {
  private readonly problem: Problem
  private readonly rooms: Int32Array
  private readonly extensions = new Map<string, number>()
  private total = 0

  constructor(problem: Problem) {
    this.problem = problem
    this.rooms = new Int32Array(problem.rooms.length)
  }

  spentBy(room: number): number {
    return this.rooms[room]!
  }

  has(one: number, count: number): boolean {
    const { classes, rooms, roomOf, snapshot } = this.problem
    const { extension } = classes[one]!
    const { limit, running } = rooms[roomOf[one]!]!
    const within = (left: number | null, spent: number): boolean => left === null || spent + count <= left
    return (
      within(headroom(limit, running), this.rooms[roomOf[one]!]!) &&
      within(extensionHeadroom(this.problem, extension), this.extensions.get(extension) ?? 0) &&
      within(headroom(snapshot.maxRunning, snapshot.running ?? 0), this.total)
    )
  }

  spend(one: number, count: number): boolean {
    if (count === 0) return true
    if (!this.has(one, count)) return false
    const { extension } = this.problem.classes[one]!
    this.rooms[this.problem.roomOf[one]!]! += count
    if (this.problem.extensions.has(extension)) {
      this.extensions.set(extension, (this.extensions.get(extension) ?? 0) + count)
    }
    this.total += count
    return true
  }
}
