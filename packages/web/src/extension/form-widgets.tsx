// The fields of a form: numbers with their range and unit, choices, colours, switches, long texts.

import {
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  Skeleton,
  Slider,
  Stack,
  Switch,
  Textarea,
} from '@mantine/core'
import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils'
import { lazy, type ReactElement, Suspense } from 'react'
import { fromTrack, sliderOf, stepOf, toTrack, unitOf } from './field-look.ts'
import type { JsonSchema } from './json-schema.ts'
import { wrapperOf } from './widget-wrapper.ts'

export const formWidgets: RegistryWidgetsType = {
  measure: Measure,
  choice: Choice,
  color: lazily('Colour'),
  longText: LongText,
  CheckboxWidget: YesOrNo,
  SelectWidget: Choice,
  CheckboxesWidget: lazily('Several'),
}

/** Few forms have these, and they are large. */
function lazily(name: 'Colour' | 'Several') {
  const Widget = lazy(async () => ({ default: (await import('./rare-widgets.tsx'))[name] }))
  return (props: WidgetProps): ReactElement => (
    <Suspense fallback={<Skeleton height={60} />}>
      <Widget {...props} />
    </Suspense>
  )
}

function Measure(props: WidgetProps): ReactElement {
  const { value, onChange, disabled = false, readonly = false } = props
  const schema = props.schema as JsonSchema
  const slider = sliderOf(schema)
  const unit = unitOf(schema)
  const number = (
    <NumberInput
      {...wrapperOf(props)}
      value={(value as number | undefined) ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      allowDecimal={schema.type !== 'integer'}
      clampBehavior="none"
      step={stepOf(schema)}
      thousandSeparator=" "
      placeholder={schema['x-nullable'] ? 'none' : undefined}
      disabled={disabled || readonly}
      {...(unit !== null && { suffix: ` ${unit}` })}
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
    />
  )
  if (!slider) return number
  return (
    <Stack gap={8}>
      {number}
      <Slider
        min={0}
        max={1}
        step={0.001}
        value={toTrack(typeof value === 'number' ? value : slider.least, slider)}
        onChange={(share) => onChange(fromTrack(share, slider))}
        label={null}
        disabled={disabled || readonly}
        size={3}
        thumbSize={14}
        mx={4}
        mb={6}
        thumbLabel={`${props.label}, slider`}
      />
    </Stack>
  )
}

/** So many characters fit beside each other in the panel. */
const fittingCharacters = 30

function Choice(props: WidgetProps): ReactElement {
  const { id, value, onChange, options, disabled = false, readonly = false } = props
  const schema = props.schema as JsonSchema
  const offered = options.enumOptions ?? []
  const data = offered.map(({ label }, index) => ({ label, value: String(index) }))
  const chosen = offered.findIndex((option) => Object.is(option.value, value))
  const choose = (index: string | null): void =>
    onChange(index === null ? undefined : offered[Number(index)]?.value)
  const length = data.reduce((sum, { label }) => sum + label.length + 3, 0)
  if (data.length <= 4 && length <= fittingCharacters && schema['x-nullable'] !== true && chosen >= 0) {
    return (
      <Input.Wrapper {...wrapperOf(props)} labelElement="div">
        <SegmentedControl
          id={id}
          aria-label={props.label}
          fullWidth
          data={data}
          value={String(chosen)}
          onChange={choose}
          disabled={disabled || readonly}
          mt={4}
        />
      </Input.Wrapper>
    )
  }
  return (
    <Select
      {...wrapperOf(props)}
      data={data}
      value={chosen < 0 ? null : String(chosen)}
      onChange={choose}
      clearable={schema['x-nullable'] === true}
      searchable={data.length > 8}
      allowDeselect={false}
      placeholder={schema['x-nullable'] === true ? 'none' : 'choose'}
      disabled={disabled || readonly}
    />
  )
}

function LongText(props: WidgetProps): ReactElement {
  const { value, onChange, disabled = false, readonly = false } = props
  return (
    <Textarea
      {...wrapperOf(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={(value as string | undefined) ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      disabled={disabled || readonly}
    />
  )
}

function YesOrNo(props: WidgetProps): ReactElement {
  const { value, onChange, disabled = false, readonly = false } = props
  const { id, label, description, error } = wrapperOf(props)
  return (
    <Group>
      <Switch
        id={id}
        label={label}
        description={description}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        disabled={disabled || readonly}
      />
    </Group>
  )
}
