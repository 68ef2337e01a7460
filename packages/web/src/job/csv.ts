// Jobs as a table for other programs.

import type { JobRow } from './job-row.ts'

const columns = [
  'id',
  'room',
  'category',
  'extension',
  'status',
  'submitter',
  'worker',
  'createdAt',
  'assignedAt',
  'startedAt',
  'endedAt',
  'waitMs',
  'runMs',
  'error',
] as const

export function csvOf(rows: readonly JobRow[]): string {
  return [columns.join(','), ...rows.map(lineOf)].map((line) => `${line}\r\n`).join('')
}

function lineOf(row: JobRow): string {
  return columns.map((name) => cell(textOf(row, name))).join(',')
}

function textOf(row: JobRow, name: (typeof columns)[number]): string {
  if (name === 'error') return row.error?.message ?? ''
  const value = row[name]
  if (name.endsWith('At') && typeof value === 'number') return new Date(value).toISOString()
  return value === undefined ? '' : String(value)
}

/** A spreadsheet takes what begins like a formula for one, and what a worker wrote must not run there. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
