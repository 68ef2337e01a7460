// One job: where it is in its life, why it waits, what it was given, what came of it.

import {
  Anchor,
  Breadcrumbs,
  Container,
  Group,
  Paper,
  Progress,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import type { JobView } from '@millrace/protocol'
import { IconBriefcaseOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { ApiProblem } from '../connection/api-problem.ts'
import { Ago } from '../primitives/ago.tsx'
import { CopyButton } from '../primitives/copy-button.tsx'
import { EmptyState } from '../primitives/empty-state.tsx'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { Go, PlainLink } from '../shell/go.tsx'
import { useWatch } from '../shell/live.ts'
import { placeOfJob, placeOfRoom, places } from '../shell/places.ts'
import { usePageTitle } from '../shell/use-page-title.ts'
import { AttemptList } from './attempt-list.tsx'
import { EarlierAttempt } from './earlier-attempt.tsx'
import { JobActions } from './job-actions.tsx'
import { JobHistory } from './job-history.tsx'
import { JobInputs } from './job-inputs.tsx'
import { JobLogs } from './job-logs.tsx'
import styles from './job-page.module.css'
import { useJob } from './job-queries.ts'
import { JobErrorCard, JobResult } from './job-result.tsx'
import { isEnded } from './job-row.ts'
import { hideToast } from './notice-ends.ts'
import { BarLegend, SegmentedBar } from './segmented-bar.tsx'
import { StatusMark } from './status-mark.tsx'
import { WhyCard } from './why-card.tsx'

export function JobPage(): ReactElement {
  const { room = '', id = '' } = useParams({ strict: false }) as { room?: string; id?: string }
  useWatch(room, id)
  useEffect(() => hideToast(id), [id])
  const { data: job, error, refetch } = useJob(room, id)
  usePageTitle(job ? `${job.extension} ${job.status}` : 'Job')
  if (error instanceof ApiProblem && error.status === 404) return <NoJob room={room} />
  return (
    <Container fluid px={{ base: 'sm', sm: 'lg' }} py="md" maw={1280}>
      {error && <ProblemNote fault={error} onRetry={() => void refetch()} />}
      {job ? <Found job={job} /> : !error && <Skeleton height={280} />}
    </Container>
  )
}

function Found({ job }: { readonly job: JobView }): ReactElement {
  const { room, id, status } = job
  return (
    <Stack gap="md">
      <Head job={job} />
      <Life job={job} />
      <WhyCard job={job} />
      <EarlierAttempt job={job} />
      <JobErrorCard job={job} />
      <div className={styles.halves}>
        <Stack gap="md">
          <JobResult job={job} />
          <JobLogs key={id} room={room} id={id} ended={isEnded(status)} />
        </Stack>
        <Stack gap="md">
          <JobInputs job={job} />
          <AttemptList job={job} />
          <JobHistory job={job} />
        </Stack>
      </div>
    </Stack>
  )
}

function Head({ job }: { readonly job: JobView }): ReactElement {
  const { room, id, extension, category, status, submitter, createdAt, redriveOf, redrivenAs } = job
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <Stack gap={4}>
        <Breadcrumbs fz="sm" separatorMargin={6}>
          <Anchor inherit component={PlainLink} to={placeOfRoom(room)}>
            {room}
          </Anchor>
          <Text inherit c="dimmed">
            {category}
          </Text>
        </Breadcrumbs>
        <Group gap="sm">
          <Title order={1}>{extension}</Title>
          <span data-testid="job-status">
            <StatusMark status={status} size={20} />
          </span>
        </Group>
        <Group gap={6} fz="sm" c="dimmed">
          by {submitter}, <Ago at={createdAt} />
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
          {redriveOf !== undefined && <Go to={placeOfJob(room, redriveOf)}>a retry of this job</Go>}
          {redrivenAs !== undefined && <Go to={placeOfJob(room, redrivenAs)}>was retried as this job</Go>}
        </Group>
      </Stack>
      <JobActions job={job} />
    </Group>
  )
}

function Life({ job }: { readonly job: JobView }): ReactElement {
  const { status, progress, cancel } = job
  const percent = Math.round((progress?.fraction ?? 0) * 100)
  return (
    <Paper p="md" bg="var(--raised)" component="section" aria-label="Life of the job">
      <Stack gap="sm">
        <SegmentedBar job={job} height={18} />
        <BarLegend job={job} />
        {status === 'running' && progress && (
          <Group gap="sm" wrap="nowrap">
            <Progress value={percent} aria-label="Progress" flex={1} size="sm" transitionDuration={200} />
            <Text size="sm" className="numbers" maw="60%" truncate>
              {percent} % {progress.message}
            </Text>
          </Group>
        )}
        {cancel && !isEnded(status) && (
          <Text size="sm" c="var(--word-failed)">
            <span role="status">
              {cancel.by} cancelled it: {cancel.stage.replaceAll('_', ' ')}
            </span>
            , <Ago at={cancel.stageAt} />
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function NoJob({ room }: { readonly room: string }): ReactElement {
  return (
    <EmptyState
      icon={IconBriefcaseOff}
      title="There is no such job"
      action={<Go to={room === '' ? places.jobs : placeOfRoom(room)}>To the room</Go>}
    >
      Jobs that ended are kept for a while and then removed, or the address is mistyped.
    </EmptyState>
  )
}
