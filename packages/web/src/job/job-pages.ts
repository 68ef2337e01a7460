// The pages of a list of jobs, and what events do to them: rows change in place and never move, and what is new waits
// beside the list until somebody wants to see it, as what no longer matches stays until then. What lies below the last row
// is not new: it comes as one scrolls there.

import { isStray, type JobFilter } from './job-filter.ts'
import type { JobListPage } from './job-list-page.ts'
import { type JobPatch, type JobRow, patchRow, rowOfPatch } from './job-row.ts'

export type PatchesById = ReadonlyMap<string, readonly JobPatch[]>

export function patchesById(patches: Iterable<JobPatch>): Map<string, JobPatch[]> {
  const byId = new Map<string, JobPatch[]>()
  for (const patch of patches) {
    const before = byId.get(patch.id)
    if (before) before.push(patch)
    else byId.set(patch.id, [patch])
  }
  return byId
}

/** Rows and pages that nothing changed stay the same objects, so that only what changed is drawn again. */
export function patchRows<Row extends JobRow>(
  rows: readonly Row[],
  byId: PatchesById,
  seen?: Set<string>,
): readonly Row[] {
  let changed: Row[] | null = null
  for (const [index, row] of rows.entries()) {
    const patches = byId.get(row.id)
    if (!patches) continue
    seen?.add(row.id)
    const next = patches.reduce(patchRow, row)
    if (next === row) continue
    changed ??= [...rows]
    changed[index] = next
  }
  return changed ?? rows
}

export interface PatchedPages {
  readonly pages: readonly JobListPage[]
  /** The ids that stand in the list already. */
  readonly seen: ReadonlySet<string>
}

export function patchPages(pages: readonly JobListPage[], byId: PatchesById): PatchedPages {
  const seen = new Set<string>()
  let changed: JobListPage[] | null = null
  for (const [index, page] of pages.entries()) {
    const jobs = patchRows(page.jobs, byId, seen)
    if (jobs === page.jobs) continue
    changed ??= [...pages]
    changed[index] = { ...page, jobs }
  }
  return { pages: changed ?? pages, seen }
}

/** The row that a job's patches amount to, beginning with what is known of it; null when that is too little. */
export function rowOfPatches(known: JobRow | undefined, patches: readonly JobPatch[]): JobRow | null {
  const [first, ...later] = patches
  if (!first) return known ?? null
  if (known) return patches.reduce(patchRow, known)
  const row = rowOfPatch(first)
  return row && later.reduce(patchRow, row)
}

/** Newest first, as the server orders them: ids begin with the time. */
export function withFresh(rows: readonly JobRow[], fresh: readonly JobRow[]): readonly JobRow[] {
  const added = unshown(rows, fresh)
  if (added.length === 0) return rows
  return [...added.toSorted(newestFirst), ...rows]
}

/** What is new and does not stand among the rows: a fetch may have brought it meanwhile. */
export function unshown(rows: readonly JobRow[], fresh: readonly JobRow[]): readonly JobRow[] {
  if (fresh.length === 0) return fresh
  const known = new Set(rows.map(({ id }) => id))
  return fresh.filter(({ id }) => !known.has(id))
}

/** Whether a row would stand below all that was fetched, where there is more to fetch. */
export function isBelow(pages: readonly JobListPage[], row: JobRow): boolean {
  const last = pages.at(-1)
  const lowest = last?.lowest ?? last?.jobs.at(-1)
  return last?.cursor !== undefined && lowest !== undefined && newestFirst(lowest, row) < 0
}

/** Lets go of the rows that no longer match. */
export function withoutStrays(pages: readonly JobListPage[], filter: JobFilter): JobListPage[] {
  return pages.map((page) => {
    const jobs = page.jobs.filter((row) => !isStray(filter, row))
    if (jobs.length === page.jobs.length) return page
    return { ...page, jobs, lowest: page.lowest ?? page.jobs.at(-1) }
  })
}

export function newestFirst(a: JobRow, b: JobRow): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}
