// What can be done with a job: cancel it, retry it with what it had, edit and rerun it, take it elsewhere.

import { Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type JobView, routes } from '@millrace/protocol'
import { IconBan, IconCheck, IconCopy, IconEdit, IconRepeat } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import { call } from '../connection/api.ts'
import { copyText } from '../primitives/copy-text.ts'
import { problemText } from '../primitives/problem-note.tsx'
import { go } from '../shell/go.tsx'
import { isForPage } from '../shell/page-key.ts'
import { placeOfJob, placeOfRun } from '../shell/places.ts'
import { copyAs, type Language } from './copy-as.ts'
import { isEnded } from './job-row.ts'
import { expectEnd } from './notice-ends.ts'

const languages: readonly Language[] = ['CLI', 'curl', 'Python', 'TypeScript']

function tell(fault: unknown): void {
  notifications.show({
    title: 'That did not work',
    message: problemText(fault),
    color: 'red',
    withBorder: true,
  })
}

export function JobActions({ job }: { readonly job: JobView }): ReactElement {
  const { room, id, scope, category, extension, status } = job
  const ended = isEnded(status)
  const cancel = useMutation({
    mutationFn: () => call(routes.cancelJob, { params: { room, id } }),
    onError: tell,
  })
  const retry = useMutation({
    mutationFn: () => call(routes.retryJob, { params: { room, id } }),
    onSuccess: (submitted) => {
      expectEnd(submitted.id, { room, extension })
      go(placeOfJob(room, submitted.id))
    },
    onError: tell,
  })
  const edit = (): void => go(placeOfRun(room, `${scope}/${category}/${extension}`, id))
  useJobKeys({
    c: ended || job.cancel || cancel.isPending ? undefined : () => cancel.mutate(),
    r: ended && !retry.isPending ? () => retry.mutate() : undefined,
    e: edit,
  })
  return (
    <Group gap="xs">
      {!ended && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconBan size={16} />}
          loading={cancel.isPending}
          disabled={job.cancel !== undefined}
          onClick={() => cancel.mutate()}
        >
          {job.cancel ? 'Cancelling' : 'Cancel'}
        </Button>
      )}
      {ended && (
        <Button
          variant={status === 'completed' ? 'default' : 'filled'}
          leftSection={<IconRepeat size={16} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry
        </Button>
      )}
      <Button variant="default" leftSection={<IconEdit size={16} />} onClick={edit}>
        Edit and rerun
      </Button>
      <CopyMenu job={job} />
    </Group>
  )
}

function useJobKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (isForPage(event)) keys[event.key]?.()
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  })
}

const shownMs = 1_600

function CopyMenu({ job }: { readonly job: JobView }): ReactElement {
  const [copied, setCopied] = useState<Language | null>(null)
  const copy = async (language: Language): Promise<void> => {
    const text = copyAs(language, { ...job, origin: location.origin })
    if (await copyText(text)) setCopied(language)
    setTimeout(() => setCopied(null), shownMs)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}>
          {copied ? `Copied as ${copied}` : 'Copy as'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item key={language} onClick={() => void copy(language)}>
            {language}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
