// What one more worker would change: like one that there is, or of a shape of one's own. Asking changes nothing.

import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { type BodyOf, routes, type WhatIfView } from '@millrace/protocol'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { call } from '../connection/api.ts'
import { useExtensionSums } from '../extension/extension-overview.ts'
import type { ExtensionSum } from '../extension/extension-sums.ts'
import { ProblemNote } from '../primitives/problem-note.tsx'
import { useWorkers } from '../worker/worker-queries.ts'
import { slotsText } from './flow-words.ts'
import { WhatIfAnswer } from './what-if-answer.tsx'

type Ask = BodyOf<typeof routes.whatIfPlacement>

export function WhatIf({ rooms }: { readonly rooms: readonly string[] }): ReactElement {
  const [how, setHow] = useState<'like' | 'shape'>('like')
  const { mutate, data, error, isPending } = useMutation<WhatIfView, Error, Ask>({
    mutationFn: (body) => call(routes.whatIfPlacement, { body }),
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>With one more worker</Title>
        <SegmentedControl
          size="xs"
          aria-label="Which worker"
          value={how}
          onChange={(next) => setHow(next as typeof how)}
          data={[
            { value: 'like', label: 'Like one there is' },
            { value: 'shape', label: 'Of a shape' },
          ]}
        />
      </Group>
      {how === 'like' ? (
        <LikeForm onAsk={mutate} pending={isPending} />
      ) : (
        <ShapeForm rooms={rooms} onAsk={mutate} pending={isPending} />
      )}
      {error && <ProblemNote fault={error} />}
      {data && !error && <WhatIfAnswer answer={data} />}
    </Stack>
  )
}

interface FormProps {
  readonly onAsk: (ask: Ask) => void
  readonly pending: boolean
}

function LikeForm({ onAsk, pending }: FormProps): ReactElement {
  const { data: workers = [] } = useWorkers()
  const here = workers.filter(({ presence }) => presence === 'connected')
  const [chosen, setChosen] = useState<string | null>(null)
  const like = chosen ?? here[0]?.id ?? null
  if (here.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No worker is connected to take as an example: describe one by its shape.
      </Text>
    )
  return (
    <Group align="flex-end" gap="xs">
      <Select
        size="xs"
        label="Like"
        data={here.map(({ id, total }) => ({ value: id, label: `${id}, ${slotsText(total.slots)}` }))}
        value={like}
        onChange={setChosen}
        allowDeselect={false}
        searchable
        w={{ base: '100%', xs: 280 }}
      />
      <AskButton pending={pending} onClick={() => like !== null && onAsk({ like })} />
    </Group>
  )
}

function ShapeForm({
  rooms,
  onAsk,
  pending,
}: FormProps & { readonly rooms: readonly string[] }): ReactElement {
  const { sums } = useExtensionSums(rooms)
  const [shape, setShape] = useState({ slots: 4, memoryMb: 0, gpu: 0 })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const serves = sums.filter(({ key }) => chosen.includes(key))
  const number = (name: keyof typeof shape, label: string, step = 1): ReactElement => (
    <NumberInput
      size="xs"
      label={label}
      min={name === 'slots' ? 1 : 0}
      step={step}
      value={shape[name]}
      onChange={(next) => setShape({ ...shape, [name]: Number(next) || 0 })}
      w={110}
    />
  )
  const ask = (): void => {
    const { slots, memoryMb, gpu } = shape
    onAsk({
      slots,
      ...(memoryMb > 0 && { memoryMb }),
      ...(gpu > 0 && { gpu }),
      extensions: serves.map(offerOf),
    })
  }
  return (
    <Group align="flex-end" gap="xs">
      {number('slots', 'Slots')}
      {number('memoryMb', 'Memory, MB', 1_024)}
      {number('gpu', 'GPUs')}
      <MultiSelect
        size="xs"
        label="Serves"
        placeholder={chosen.length === 0 ? 'extensions' : ''}
        data={sums.map(({ key, category, name, home }) => ({
          value: key,
          label: home === null ? `${category} / ${name}` : `${category} / ${name} in ${home}`,
        }))}
        value={[...chosen]}
        onChange={setChosen}
        searchable
        clearable
        w={{ base: '100%', xs: 300 }}
      />
      <AskButton pending={pending} disabled={serves.length === 0} onClick={ask} />
    </Group>
  )
}

function offerOf({ scope, category, name, home }: ExtensionSum) {
  return { scope, category, name, ...(home !== null && { room: home }) }
}

interface ButtonProps {
  readonly pending: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}

function AskButton({ pending, disabled = false, onClick }: ButtonProps): ReactElement {
  return (
    <Button
      size="xs"
      leftSection={<IconPlus size={14} />}
      loading={pending}
      disabled={disabled}
      onClick={onClick}
    >
      What if?
    </Button>
  )
}
