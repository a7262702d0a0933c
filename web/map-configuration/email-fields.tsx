import { NativeSelect, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EmailSettings } from '#domain/reports/report-settings.ts'
import { formatDate } from '#web/ui/formatters.ts'
import { FieldGroup } from './field-group.tsx'

type AddressesFieldProps = {
  label: string
  description: string
  value: readonly string[]
  error: string | undefined
  onChange(value: string[]): void
}

/** One address per line. Spaces and empty lines are removed when the settings are saved. */
export const AddressesField = ({ value, onChange, ...props }: AddressesFieldProps) => (
  <Textarea
    {...props}
    autosize
    minRows={1}
    inputMode="email"
    spellCheck={false}
    value={value.join('\n')}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === '' ? [] : currentTarget.value.split('\n'))
    }
  />
)

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: formatDate(new Date(2026, 0, 1, hour), { timeStyle: 'short' }),
}))

type HourFieldProps = { label: string; value: number; onChange(value: number): void }

const HourField = ({ onChange, ...props }: HourFieldProps) => (
  <NativeSelect {...props} data={hours} onChange={(event) => onChange(Number(event.currentTarget.value))} />
)

type EmailFieldsProps = {
  values: EmailSettings
  problems: ReadonlyMap<string, string>
  conflict: ReactNode
  onChange(values: EmailSettings): void
  children: ReactNode
}

export function EmailFields({ values, problems, conflict, onChange, children }: EmailFieldsProps) {
  const set = (changed: Partial<EmailSettings>) => onChange({ ...values, ...changed })
  return (
    <FieldGroup title="Emails">
      {conflict}
      <AddressesField
        label="Weekly digest for the board (optional)"
        description="Sent on Mondays: new, overdue and changed records, and due maintenance. One address per line"
        value={values.board}
        error={problems.get('emails.board')}
        onChange={(board) => set({ board })}
      />
      <NativeSelect
        label="Quiet hours from"
        description="Emails to residents who follow incidents wait until they end. In the time zone of the association"
        value={values.quietFrom ?? ''}
        data={[{ value: '', label: 'No quiet hours' }, ...hours]}
        onChange={({ currentTarget: { value } }) => set({ quietFrom: value === '' ? null : Number(value) })}
      />
      {values.quietFrom !== null && (
        <HourField
          label="Quiet hours until"
          value={values.quietUntil}
          onChange={(quietUntil) => set({ quietUntil })}
        />
      )}
      <HourField
        label="Daily and weekly emails at"
        value={values.digestHour}
        onChange={(digestHour) => set({ digestHour })}
      />
      {children}
    </FieldGroup>
  )
}
