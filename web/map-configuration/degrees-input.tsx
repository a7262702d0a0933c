import { TextInput } from '@mantine/core'

type DegreesInputProps = {
  label: string
  limit: 90 | 180
  value: string
  error: string | undefined
  onChange(value: string): void
}

/** Section 5 of the specification: a number with step 0.0001. */
export function DegreesInput({ label, limit, value, error, onChange }: DegreesInputProps) {
  return (
    <TextInput
      type="number"
      inputMode="decimal"
      step="0.0001"
      min={-limit}
      max={limit}
      label={label}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
