import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type IncidentType, incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { maxDueDays, maxNotice, maxTypeLabel, type TypeSettings } from '#domain/reports/report-settings.ts'
import { AddressesField } from './email-fields.tsx'
import { FieldGroup } from './field-group.tsx'

type ReportTypeFieldsProps = {
  type: IncidentType
  values: TypeSettings
  problems: ReadonlyMap<string, string>
  conflict: ReactNode
  onChange(values: TypeSettings): void
}

export function ReportTypeFields({ type, values, problems, conflict, onChange }: ReportTypeFieldsProps) {
  const { label, notice, mustConfirm, isOffered, dueDays, staffEmails } = values
  const set = (changed: Partial<TypeSettings>) => onChange({ ...values, ...changed })
  const problemOf = (field: keyof TypeSettings) => problems.get(`types.${type}.${field}`)
  return (
    <FieldGroup title={incidentTypeLabels[type]}>
      {conflict}
      <Checkbox
        label="Offer in the form"
        checked={isOffered}
        error={problemOf('isOffered')}
        onChange={(event) => set({ isOffered: event.currentTarget.checked })}
      />
      <TextInput
        label="Name in the form (optional)"
        placeholder={incidentTypeLabels[type]}
        maxLength={maxTypeLabel}
        value={label ?? ''}
        onChange={(event) => set({ label: event.currentTarget.value || null })}
      />
      <Textarea
        label="Notice (optional)"
        description="Shown to reporters who choose this type"
        autosize
        minRows={1}
        maxLength={maxNotice}
        value={notice}
        error={problemOf('notice')}
        onChange={(event) => set({ notice: event.currentTarget.value })}
      />
      <Checkbox
        label="Reporters must confirm the notice first"
        checked={mustConfirm}
        onChange={(event) => set({ mustConfirm: event.currentTarget.checked })}
      />
      <TextInput
        label="Due after acceptance, in days (optional)"
        type="number"
        inputMode="numeric"
        min={0}
        max={maxDueDays}
        value={dueDays ?? ''}
        error={problemOf('dueDays')}
        onChange={({ currentTarget: { value } }) => set({ dueDays: value === '' ? null : Number(value) })}
      />
      <AddressesField
        label="Email staff about reports (optional)"
        description="Shared mailboxes, for example. One address per line"
        value={staffEmails}
        error={problemOf('staffEmails')}
        onChange={(staffEmails) => set({ staffEmails })}
      />
    </FieldGroup>
  )
}
