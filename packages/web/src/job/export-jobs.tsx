// Takes what a filter finds home, as a table or as JSON.

import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { problemText } from '../primitives/problem-note.tsx'
import { saveText } from '../primitives/save-text.ts'
import { csvOf } from './csv.ts'
import { fetchJobs } from './fetch-jobs.ts'
import type { JobFilter } from './job-filter.ts'
import type { JobRow } from './job-row.ts'

interface ExportProps {
  readonly room: string | null
  readonly filter: JobFilter
}

/** So many fit into a table that a person opens. */
const most = 100_000
const pageSize = 500

async function everything(
  { room, filter }: ExportProps,
  onPage: (count: number) => void,
): Promise<readonly JobRow[]> {
  const rows: JobRow[] = []
  let cursor: string | undefined
  do {
    const page = await fetchJobs(room, filter, { cursor, limit: pageSize })
    rows.push(...page.jobs)
    cursor = page.cursor
    onPage(rows.length)
  } while (cursor !== undefined && rows.length < most)
  return rows.slice(0, most)
}

export function ExportJobs(props: ExportProps): ReactElement {
  const [count, setCount] = useState<number | null>(null)
  const take = async (kind: 'csv' | 'json'): Promise<void> => {
    setCount(0)
    try {
      const rows = await everything(props, setCount)
      if (kind === 'csv') saveText('jobs.csv', csvOf(rows), 'text/csv')
      else saveText('jobs.json', JSON.stringify(rows, null, 2), 'application/json')
    } catch (fault) {
      notifications.show({ title: 'The export stopped', message: problemText(fault), color: 'red' })
    } finally {
      setCount(null)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          disabled={count !== null}
        >
          {count === null ? 'Export' : `${count.toLocaleString()}…`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void take('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => void take('json')}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
