// Fields that few forms have: a colour, and several of many words.

import '../shell/later-styles.ts'
import { ColorInput, MultiSelect } from '@mantine/core'
import type { WidgetProps } from '@rjsf/utils'
import type { ReactElement } from 'react'
import { wrapperOf } from './widget-wrapper.ts'

export function Several(props: WidgetProps): ReactElement {
  const { value, onChange, options, disabled = false, readonly = false } = props
  const offered = options.enumOptions ?? []
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : []
  return (
    <MultiSelect
      {...wrapperOf(props)}
      data={offered.map(({ label }, index) => ({ label, value: String(index) }))}
      value={offered.flatMap((option, index) => (chosen.includes(option.value) ? [String(index)] : []))}
      onChange={(next) => onChange(next.map((index) => offered[Number(index)]?.value))}
      disabled={disabled || readonly}
    />
  )
}

export function Colour(props: WidgetProps): ReactElement {
  const { value, onChange, disabled = false, readonly = false } = props
  return (
    <ColorInput
      {...wrapperOf(props)}
      value={(value as string | undefined) ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      disabled={disabled || readonly}
    />
  )
}
