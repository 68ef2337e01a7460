// A button that copies, and says for a moment that it did.

import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactElement, useState } from 'react'
import { copyText } from './copy-text.ts'

const shownMs = 1_600

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    setCopied(await copyText(text))
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon onClick={() => void copy()} aria-label={copied ? 'Copied' : label} size="sm">
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}
