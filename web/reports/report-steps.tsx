import { Button, FileButton, TextInput } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { acceptedTypes, maxFileBytes } from '#domain/files/file.schema.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import { hasLink } from '#domain/reports/links.ts'
import type { SimilarIncident } from '#domain/reports/report.schema.ts'
import type { ReportForm } from '#domain/reports/report-settings.ts'
import { maxPhotosOfReport, maxReportDescription, reportersInWords } from '#domain/reports/report-states.ts'
import { fileAddress, newFileId } from '#web/api/files.api.ts'
import { similarIncidentsQuery } from '#web/api/reports.api.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { NoteField } from '#web/work/note.tsx'
import { distanceInWords } from './distance-in-words.ts'
import { personalPartsOf } from './personal-parts.ts'
import { EmptyField, NoticeText, publicationInWords, StepForm } from './report-form-parts.tsx'
import classes from './report-panel.module.css'
import { shrinkPhoto } from './shrink-photo.ts'
import type { Photo } from './waiting-reports.ts'

export type Draft = {
  photos: readonly Photo[]
  type: IncidentType | null
  place: LatLng | null
  sameAs: SimilarIncident | null
  description: string
  email: string
  /** Only programs fill it. */
  website: string
}

type StepProps = { form: ReportForm | null; draft: Draft; onChange(values: Partial<Draft>): void }

export function PhotoStep({ form, draft, onChange, onNext }: StepProps & { onNext(): void }) {
  const [problem, setProblem] = useState<string | null>(null)
  async function add(files: readonly File[]) {
    const chosen = files.slice(0, maxPhotosOfReport)
    const photos = await Promise.all(
      chosen.map(async (file) => ({ id: newFileId(), file: await shrinkPhoto(file) })),
    )
    if (photos.length === 0) return
    if (photos.some(({ file }) => file.size > maxFileBytes))
      return setProblem(`A photo is larger than ${maxFileBytes / 1024 ** 2} MB.`)
    onChange({ photos })
    onNext()
  }
  return (
    <form className={classes.step} onSubmit={(event) => event.preventDefault()}>
      <p>{form && publicationInWords[form.publication]}</p>
      <div className={classes.choices}>
        <FileButton
          multiple
          accept={acceptedTypes.filter((type) => type.startsWith('image/')).join(',')}
          inputProps={{ 'aria-label': 'Photos of the problem' }}
          onChange={(files) => void add(files)}
        >
          {(props) => (
            <Button {...props} size="lg" leftSection={<IconCamera size={22} aria-hidden="true" />}>
              {draft.photos.length > 0 ? 'Change photo' : 'Add a photo'}
            </Button>
          )}
        </FileButton>
        <Button size="lg" variant="default" onClick={onNext}>
          {draft.photos.length > 0 ? 'Next' : 'No photo'}
        </Button>
      </div>
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}

type SimilarStepProps = {
  mapId: string
  place: LatLng | null
  onChoose(same: SimilarIncident | null): void
  onBack(): void
}

export function SimilarStep({ mapId, place, onChoose, onBack }: SimilarStepProps) {
  const similar = useQuery({
    ...similarIncidentsQuery(mapId, place ?? { lat: 0, lng: 0 }),
    placeholderData: undefined,
    retry: false,
  })
  const items = similar.data?.items
  const isNone = similar.isError || items?.length === 0
  const goOn = useEffectEvent(() => onChoose(null))
  useEffect(() => {
    if (isNone) goOn()
  }, [isNone])
  return (
    <StepForm onBack={onBack} next={<Button onClick={() => onChoose(null)}>None of these</Button>}>
      {!items && <LoadingRows label="Looking for similar incidents" />}
      <ul className={classes.cards}>
        {items?.map((incident) => (
          <li key={incident.id}>
            {incident.photoId && <img src={fileAddress(mapId, incident.photoId, 'small')} alt="" />}
            <div>
              <b>{incident.title || 'Untitled'}</b>
              <p className={classes.dimmed}>
                {distanceInWords(incident)}
                {incident.date && (
                  <>
                    {' · '}
                    <time dateTime={incident.date} title={exactTime(incident.date)}>
                      {relativeTime(incident.date)}
                    </time>
                  </>
                )}
                {incident.resolved && ' · resolved'}
                {reportersInWords(incident.reporters).map((words) => ` · ${words}`)}
              </p>
              <p>{incident.description}</p>
              <Button
                aria-label={`Same problem as ‘${incident.title}’`}
                variant="light"
                size="sm"
                onClick={() => onChoose(incident)}
              >
                Same problem
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </StepForm>
  )
}

type TextStepProps = StepProps & { notice: string; onBack(): void; onSend(): Promise<void> }

export function TextStep({ form, notice, draft, onChange, onBack, onSend }: TextStepProps) {
  const [isSending, setIsSending] = useState(false)
  const personal = personalPartsOf(draft.description)
  return (
    <StepForm
      onBack={onBack}
      onSubmit={() => {
        setIsSending(true)
        void onSend()
      }}
      next={
        <Button type="submit" loading={isSending}>
          Send report
        </Button>
      }
    >
      {notice !== '' && (
        <p className={classes.warning}>
          <NoticeText text={notice} />
        </p>
      )}
      {draft.sameAs && (
        <p>
          You are counted for <b>{draft.sameAs.title}</b>, and follow it. Staff review your photo and text.
        </p>
      )}
      <NoteField
        label="Description (optional)"
        description={
          form?.publication === 'review'
            ? 'Others can read this after the review.'
            : 'Others can read this on the map.'
        }
        minRows={2}
        maxRows={6}
        maxLength={maxReportDescription}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      {form?.publication === 'immediate' && hasLink(draft.description) && (
        <p role="status" className={classes.warning}>
          Staff review reports with links before they appear on the map.
        </p>
      )}
      {personal.length > 0 && (
        <p role="status" className={classes.warning}>
          Others will see {personal.map((part) => `‘${part}’`).join(' and ')}. Use the field below for your
          email address.
        </p>
      )}
      <TextInput
        label="Email (optional)"
        description={
          form?.publication === 'confirmed'
            ? 'To confirm this report, and for answers about it. Never public.'
            : 'For answers about this report. Never public.'
        }
        type="email"
        autoComplete="email"
        value={draft.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
      <EmptyField value={draft.website} onChange={(website) => onChange({ website })} />
    </StepForm>
  )
}
