import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type IncidentType,
  incidentTypeLabels,
  type Severity,
  severityLabels,
} from '#domain/incidents/incident-types.ts'
import type { Report, StaffReportChange } from '#domain/reports/report.schema.ts'
import { maxReportDescription, reportNumber } from '#domain/reports/report-states.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeReport } from '#web/api/reports.api.ts'
import { Form, FormFooter } from '#web/ui/form-frame.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { NoteField } from '#web/work/note.tsx'
import classes from './triage-panel.module.css'

type ReportEditFormProps = { mapId: string; report: Report; onClose(): void }

/** Staff edit a report before they accept it. */
export function ReportEditForm({ mapId, report, onClose }: ReportEditFormProps) {
  const client = useQueryClient()
  const [values, setValues] = useState({
    title: report.title,
    description: report.description,
    type: report.type,
    severity: report.severity,
  })
  const save = useMutation({
    mutationFn: (change: StaffReportChange) => changeReport(mapId, report, change),
    onSuccess({ id, version }) {
      followChanges(client, [{ mapId, part: 'reports', id, version }])
      showSuccess(`${reportNumber(report.number)} changed`)
      onClose()
    },
  })
  const set = (changed: Partial<typeof values>) => setValues({ ...values, ...changed })
  return (
    <Form
      className={classes.decisions}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      onSubmit={() => save.mutate(values)}
    >
      <TextInput
        autoFocus
        label="Title"
        required
        maxLength={300}
        value={values.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        value={values.type}
        data={Object.entries(incidentTypeLabels).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set({ type: event.currentTarget.value as IncidentType })}
      />
      <NativeSelect
        label="Severity"
        value={values.severity ?? ''}
        data={Object.entries(severityLabels).map(([value, label]) => ({
          value: value === 'unknown' ? '' : value,
          label,
        }))}
        onChange={(event) => set({ severity: (event.currentTarget.value || null) as Severity | null })}
      />
      <NoteField
        label="Description"
        minRows={2}
        maxLength={maxReportDescription}
        value={values.description}
        onChange={(description) => set({ description })}
      />
      <FormFooter failure={save.error?.message}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </FormFooter>
    </Form>
  )
}
