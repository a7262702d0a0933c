import { Button, Radio } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import type { ReportSettingsAnswer } from '#domain/reports/report-settings.schema.ts'
import {
  type Publication,
  publicationLabels,
  publications,
  type ReportSettings,
  type SettingsPart,
  settingsPartLabels,
} from '#domain/reports/report-settings.ts'
import { followChanges } from '#web/api/changes.ts'
import { RequestError } from '#web/api/http.ts'
import { changeReportSettings, reportSettingsQuery } from '#web/api/report-settings.api.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { LoadingRows, NoPermission } from '#web/ui/states.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { ConflictField } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { BlockedSenders } from './blocked-senders.tsx'
import classes from './configuration-panel.module.css'
import { EmailFields } from './email-fields.tsx'
import { FieldGroup } from './field-group.tsx'
import {
  changesOfDraft,
  describePart,
  draftOf,
  problemsOfDraft,
  rebaseSettings,
  settingsOfDraft,
  settlePart,
  unsavedReportSettings,
} from './report-settings-draft.ts'
import { ReportTypeFields } from './report-type-fields.tsx'
import { ResponseTemplates } from './response-templates.tsx'
import { TestEmail } from './test-email.tsx'

export function ReportSettingsPanel({ mapId }: { mapId: string }) {
  const isStaff = useMay('staff', mapId)
  const answer = useQuery({ ...reportSettingsQuery(mapId), enabled: isStaff })
  if (!isStaff) return <NoPermission text="Only staff of this client can see report settings." />
  if (answer.data) return <Panel key={mapId} current={answer.data} />
  const failure = loadFailure(answer, 'Could not load the report settings.')
  if (failure) return failure
  return (
    <div className={classes.fields}>
      <LoadingRows label="Loading report settings" rows={4} height={64} />
    </div>
  )
}

function Panel({ current }: { current: ReportSettingsAnswer }) {
  const { mapId, sendsMail } = current
  const isReadOnly = !useMay('manager', mapId)
  const client = useQueryClient()
  const session = useSession()
  // The user who started: the session may end meanwhile.
  const [personId] = useState(session.status === 'authenticated' ? session.person.id : '')
  const unsaved = unsavedReportSettings(mapId, personId)
  const [draft, setDraft] = useState(() => unsaved.get() ?? draftOf(current))
  const [isChecked, setIsChecked] = useState(false)
  const changes = changesOfDraft(draft)
  const hasChanges = changes.length > 0
  const words = changes.map((part) => settingsPartLabels[part]).join(', ')
  if (draft.base.version !== current.version)
    setDraft(hasChanges ? rebaseSettings(draft, current) : draftOf(current))
  useEffect(() => unsaved.set(hasChanges ? draft : null), [unsaved, hasChanges, draft])
  useUnsavedWork(hasChanges ? `Report settings: ${words}` : null, true, () => {
    unsaved.set(null)
    setDraft(draftOf(current))
  })
  const problems = problemsOfDraft(draft)
  const shownProblems = isChecked ? problems : new Map<string, string>()
  const saving = useMutation({
    mutationFn: () => changeReportSettings(mapId, draft.base.version, settingsOfDraft(draft)),
    onSuccess(saved) {
      client.setQueryData(reportSettingsQuery(mapId).queryKey, saved)
      followChanges(client, [{ mapId, part: 'report-settings', id: null, version: null }])
      setDraft(draftOf(saved))
      setIsChecked(false)
      showSuccess('Report settings saved')
    },
    onError(error) {
      if (isRefusedAsOld(error))
        void client.invalidateQueries({ queryKey: reportSettingsQuery(mapId).queryKey })
    },
  })
  const wasOvertaken = hasChanges && (draft.conflicts.length > 0 || isRefusedAsOld(saving.error))
  const { settings } = draft
  const set = (changed: Partial<ReportSettings>) =>
    setDraft((before) => ({ ...before, settings: { ...before.settings, ...changed } }))
  const conflictIn = (part: SettingsPart): ReactNode =>
    draft.conflicts.includes(part) && (
      <ConflictField
        label={settingsPartLabels[part]}
        who="Someone else"
        theirs={describePart(draft.base.settings, part)}
        onSettle={(side) => setDraft((before) => settlePart(before, part, side))}
      />
    )
  return (
    <CheckedForm
      className={classes.form}
      refusal={saving.error}
      onSubmit={() => {
        setIsChecked(true)
        if (hasChanges && problems.size === 0 && draft.conflicts.length === 0) saving.mutate()
      }}
    >
      <div className={classes.fields}>
        <Link
          to="/config/map/$mapId/$section"
          params={{ mapId, section: 'reports' }}
          className={classes.back}
        >
          <IconArrowLeft size={16} aria-hidden="true" /> Reports
        </Link>
        {isReadOnly && (
          <p className={classes.note}>Only managers of this client can change these settings.</p>
        )}
        <fieldset className={classes.all} disabled={isReadOnly || saving.isPending}>
          <FieldGroup title="Publication">
            {conflictIn('publication')}
            <PublicationField
              value={settings.publication}
              sendsMail={sendsMail}
              onChange={(publication) => set({ publication })}
            />
          </FieldGroup>
          {incidentTypes.map((type) => (
            <ReportTypeFields
              key={type}
              type={type}
              values={settings.types[type]}
              problems={shownProblems}
              conflict={conflictIn(type)}
              onChange={(values) => set({ types: { ...settings.types, [type]: values } })}
            />
          ))}
          <ResponseTemplates
            templates={settings.templates}
            problems={shownProblems}
            conflict={conflictIn('templates')}
            onChange={(templates) => set({ templates })}
          />
          <EmailFields
            values={settings.emails}
            problems={shownProblems}
            conflict={conflictIn('emails')}
            onChange={(emails) => set({ emails })}
          >
            {sendsMail && !isReadOnly && <TestEmail mapId={mapId} />}
          </EmailFields>
        </fieldset>
        <BlockedSenders mapId={mapId} />
      </div>
      {!isReadOnly && (
        <FormFooter
          isIdle={!hasChanges}
          failure={
            saving.error && !wasOvertaken && `Could not save the report settings. ${saving.error.message}`
          }
          status={
            <>
              {wasOvertaken && 'Someone else changed the settings. Your changes are still here. '}
              {hasChanges ? <b>Unsaved: {words}</b> : 'No unsaved changes'}
              {isChecked && problems.size > 0 && ' · fix the errors to save'}
            </>
          }
        >
          <Button
            variant="default"
            disabled={!hasChanges}
            onClick={() => {
              setIsChecked(false)
              saving.reset()
              setDraft(draftOf(current))
            }}
          >
            Revert
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!hasChanges}>
            Save
          </Button>
        </FormFooter>
      )}
    </CheckedForm>
  )
}

const isRefusedAsOld = (error: Error | null) => error instanceof RequestError && error.status === 412

type PublicationFieldProps = { value: Publication; sendsMail: boolean; onChange(value: Publication): void }

function PublicationField({ value, sendsMail, onChange }: PublicationFieldProps) {
  return (
    <Radio.Group
      label="When reports appear on the public map"
      value={value}
      onChange={(chosen) => onChange(chosen as Publication)}
    >
      <div className={classes.choices}>
        {publications.map((one) => (
          <Radio
            key={one}
            value={one}
            label={publicationLabels[one]}
            description={
              one === 'confirmed' && !sendsMail
                ? 'Not available, because the server has no mail server (SMTP_URL). Such reports wait for review.'
                : publicationHelp[one]
            }
            disabled={one === 'confirmed' && !sendsMail && value !== one}
          />
        ))}
      </div>
    </Radio.Group>
  )
}

const publicationHelp: Record<Publication, string> = {
  review: 'Staff accept or reject each report.',
  confirmed: 'Reporters get an email with a link. Reports without an address wait for review.',
  immediate: 'Without a review. Photos stay staff only until you publish them. You can still hide a report.',
}
