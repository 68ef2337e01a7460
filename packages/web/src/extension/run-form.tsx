// The form of an extension with what I entered last, and the button that runs it, or says why it cannot.

import { Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ExtensionView, type RoomView, routes } from '@millrace/protocol'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useMemo, useRef, useState } from 'react'
import { call } from '../connection/api.ts'
import { ApiProblem } from '../connection/api-problem.ts'
import { useJob } from '../job/job-queries.ts'
import { expectEnd, toastOf } from '../job/notice-ends.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useLiveState } from '../shell/live.ts'
import { checkData } from './check-data.ts'
import { keyOfExtension, useRecentInputs, useValues } from './extension-queries.ts'
import { errorsOfDetails } from './form-validator.ts'
import type { JsonSchema } from './json-schema.ts'
import { completeData, normaliseSchema } from './normalise-schema.ts'
import { RecentInputs } from './recent-inputs.tsx'
import styles from './run-panel.module.css'
import { SchemaForm } from './schema-form.tsx'
import { SubmittedToast } from './submitted-toast.tsx'

interface RunFormProps {
  readonly room: RoomView
  readonly extension: ExtensionView
  /** It went with its last worker, and stays here for what was entered. */
  readonly isGone: boolean
  /** A job whose data the form begins with. */
  readonly like?: string | undefined
}

export function RunForm({ room, extension, isGone, like }: RunFormProps): ReactElement {
  const last = useValues(room.name, extension)
  const likeJob = useJob(room.name, like ?? '')
  const wanted = like === undefined ? last : likeJob
  if (wanted.isPending && wanted.fetchStatus !== 'idle') return <Skeleton height={160} />
  const begin = like === undefined ? last.data?.values : likeJob.data?.data
  return <Filled room={room} extension={extension} isGone={isGone} begin={begin ?? undefined} />
}

function Filled({
  room,
  extension,
  isGone,
  begin,
}: Omit<RunFormProps, 'like'> & { readonly begin: unknown }): ReactElement {
  const schema = useMemo(() => normaliseSchema(extension.schema as JsonSchema), [extension.schema])
  const recent = useRecentInputs(room.name, extension)
  const [data, setData] = useState<unknown>(begin)
  const { mutate, error, isPending, reset } = useSubmit(room.name, extension)
  const box = useRef<HTMLDivElement>(null)
  const complete = completeData(schema, data)
  const mistakes = data === undefined ? 0 : checkData(schema, complete).length
  const reason = useReason(room, mistakes, isGone)
  const refused = error instanceof ApiProblem && error.code === 'data_invalid' ? error : null
  const run = (): void => {
    if (reason === null) mutate(complete)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for those who are inside the form
    <div
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        run()
      }}
    >
      <SchemaForm
        schema={schema}
        data={data}
        onChange={(next) => {
          setData(next)
          if (error) reset()
        }}
        onSubmit={run}
        {...(refused && { errors: errorsOfDetails(refused.details) })}
      >
        <Stack gap="xs" mt="md">
          {error && !refused && <ProblemNote fault={error} />}
          <Group gap="xs" wrap="nowrap">
            <Button
              type="submit"
              flex={1}
              size="md"
              leftSection={<IconPlayerPlay size={17} aria-hidden />}
              rightSection={
                <Kbd size="xs" className={styles.keys}>
                  Ctrl ↵
                </Kbd>
              }
              loading={isPending}
              disabled={reason !== null}
              aria-describedby="run-reason"
            >
              Run
            </Button>
            <RecentInputs inputs={recent.data ?? []} onChoose={setData} onReset={() => setData({})} />
          </Group>
          <Text id="run-reason" size="xs" c="dimmed" mih={18}>
            {reason ?? hintOf(extension)}
          </Text>
        </Stack>
      </SchemaForm>
    </div>
  )
}

function hintOf({ workers, paused }: ExtensionView): string {
  if (paused) return `Paused by ${paused.by}: the job waits until somebody resumes it.`
  return workers === 0 ? 'No worker serves it at the moment: the job waits for one.' : ''
}

/** Why it cannot be run; null when it can. */
function useReason({ standing, name }: RoomView, mistakes: number, isGone: boolean): string | null {
  const { word } = useLiveState()
  if (standing === 'viewer')
    return `You may look at ${name} but not run anything in it. Ask an owner of the room.`
  if (word === 'offline') return 'The server does not answer at the moment.'
  if (isGone) return 'Its worker has gone. What you entered stays here until one is back.'
  if (mistakes > 0)
    return mistakes === 1 ? 'One field needs another look.' : `${mistakes} fields need another look.`
  return null
}

function useSubmit(room: string, extension: ExtensionView) {
  const client = useQueryClient()
  const { scope, category, name } = extension
  return useMutation({
    mutationFn: (data: unknown) =>
      call(routes.submitToExtension, { params: { room, scope, category, name }, body: { data } }),
    onSuccess: (submitted) => {
      void client.invalidateQueries({ queryKey: ['values', room, keyOfExtension(extension), 'recent'] })
      if (!('id' in submitted)) {
        notifications.show({ message: 'Your settings are stored.', color: 'green', withBorder: true })
        return
      }
      notifications.show({
        id: toastOf(submitted.id),
        message: <SubmittedToast room={room} id={submitted.id} extension={name} />,
        autoClose: 4_000,
        withBorder: true,
      })
      expectEnd(submitted.id, { room, extension: name })
    },
  })
}
