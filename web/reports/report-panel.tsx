import { Anchor, Button, FileButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCamera, IconCurrentLocation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { acceptedTypes, maxFileBytes } from '#domain/files/file.schema.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { type IncidentType, incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { hasLink } from '#domain/reports/links.ts'
import type { SimilarIncident } from '#domain/reports/report.schema.ts'
import type { ReportForm } from '#domain/reports/report-settings.ts'
import { maxPhotosOfReport, maxReportDescription, reportersInWords } from '#domain/reports/report-states.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { fileAddress, newFileId } from '#web/api/files.api.ts'
import { newKey } from '#web/api/http.ts'
import { similarIncidentsQuery } from '#web/api/reports.api.ts'
import { DetailContent, DetailFrame } from '#web/features/detail-frame.tsx'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { type DeviceLocation, readDeviceLocation } from '#web/ui/device-location.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { NoteField } from '#web/work/note.tsx'
import { usePublishedReporting } from '#web/workspace/reporting.ts'
import { distanceInWords } from './distance-in-words.ts'
import { personalPartsOf } from './personal-parts.ts'
import {
  ChosenPhotos,
  EmptyField,
  NoticeStep,
  NoticeText,
  publicationInWords,
  StepForm,
  useReportForm,
} from './report-form-parts.tsx'
import classes from './report-panel.module.css'
import { ReportsOnDevice, SentStep } from './reports-on-device.tsx'
import { shrinkPhoto } from './shrink-photo.ts'
import { keepReport, type Photo, secondsSince } from './waiting-reports.ts'

type ReportPanelProps = {
  mapId: string
  /** Center of the map. */
  center: LatLng | null
  assetId: string | null
  /** The map shows the place already. */
  isPlaced: boolean
  onMove(place: LatLng): void
  onClose(): void
}

type Step = 'photo' | 'place' | 'notice' | 'similar' | 'text' | 'sent'
type Draft = {
  photos: readonly Photo[]
  type: IncidentType | null
  place: LatLng | null
  sameAs: SimilarIncident | null
  description: string
  email: string
  /** Only programs fill it. */
  website: string
}

const nothing: Draft = {
  photos: [],
  type: null,
  place: null,
  sameAs: null,
  description: '',
  email: '',
  website: '',
}

/** Worse than this, the reporter has to move the map. */
const roughMeters = 50

export function ReportPanel({ mapId, center, assetId, isPlaced, onMove, onClose }: ReportPanelProps) {
  const asset = useAsset(mapId, assetId, onMove)
  const [step, setStep] = useState<Step>('photo')
  const [draft, setDraft] = useState(nothing)
  const [made, setMade] = useState<string | null>(null)
  const [openedAt, setOpenedAt] = useState(() => Date.now())
  const location = useLocationOfDevice(assetId === null && !isPlaced, onMove)
  const change = (values: Partial<Draft>) => setDraft((current) => ({ ...current, ...values }))
  const place = draft.place ?? center
  const form = useReportForm(mapId)
  const chosen = form?.types.find(({ type }) => type === draft.type)
  usePublishedReporting(step === 'place', step === 'sent' ? null : draft.place, onMove)
  const steps: Record<Step, () => ReactNode> = {
    photo: () => (
      <>
        <PhotoStep form={form} draft={draft} onChange={change} onNext={() => setStep('place')} />
        <ReportsOnDevice mapId={mapId} />
      </>
    ),
    place: () => (
      <PlaceStep
        {...{ mapId, form, asset, center, location }}
        onChoose={(type) => {
          change({ type, place: center, sameAs: null })
          setStep(form?.types.find((one) => one.type === type)?.mustConfirm ? 'notice' : 'similar')
        }}
        onBack={() => setStep('photo')}
      />
    ),
    notice: () => (
      <NoticeStep
        notice={chosen?.notice ?? ''}
        onConfirm={() => setStep('similar')}
        onBack={() => setStep('place')}
      />
    ),
    similar: () => (
      <SimilarStep
        {...{ mapId, place }}
        onChoose={(sameAs) => {
          change({ sameAs })
          setStep('text')
        }}
        onBack={() => setStep('place')}
      />
    ),
    text: () => (
      <TextStep
        form={form}
        notice={chosen?.mustConfirm ? '' : (chosen?.notice ?? '')}
        draft={draft}
        onChange={change}
        onBack={() => setStep('place')}
        onSend={async () => {
          const { type, place } = draft
          if (!type || !place) return
          const [id, key] = [newKey(), newKey()]
          const { description, email, sameAs } = draft
          await keepReport({
            mapId,
            id,
            key,
            madeAt: Date.now(),
            secondsOnForm: secondsSince(openedAt),
            website: draft.website,
            number: null,
            title: chosen?.label ?? incidentTypeLabels[type],
            photos: draft.photos,
            problem: null,
            report: {
              id,
              key,
              type,
              place,
              accuracyMeters: location.found?.accuracyMeters ?? null,
              description: description.trim(),
              email: email.trim() === '' ? null : email.trim(),
              assetId: asset?.id ?? null,
              sameAs: sameAs?.id ?? null,
            },
          })
          setMade(id)
          setStep('sent')
        }}
      />
    ),
    sent: () => (
      <SentStep
        id={made}
        asksToConfirm={form?.publication === 'confirmed'}
        onAgain={() => {
          setDraft({ ...nothing, email: draft.email })
          setOpenedAt(Date.now())
          setStep('photo')
        }}
        onClose={onClose}
      />
    ),
  }
  return (
    <DetailFrame announcement={titles[step]} onClose={onClose}>
      <DetailContent>
        <h2 className={classes.title}>{titles[step]}</h2>
        {step !== 'sent' && <ChosenPhotos photos={draft.photos} />}
        {steps[step]()}
      </DetailContent>
    </DetailFrame>
  )
}

const titles: Record<Step, string> = {
  photo: 'Report a problem',
  place: 'Where and what?',
  notice: 'Before you report',
  similar: 'Is it one of these?',
  text: 'Anything to add?',
  sent: 'Thank you',
}

/** A printed code on an asset leads here. */
function useAsset(mapId: string, assetId: string | null, onMove: (place: LatLng) => void) {
  const { data } = useQuery({ ...featureDetailQuery(mapId, assetId ?? ''), enabled: assetId !== null })
  const move = useEffectEvent(onMove)
  const { lat, lng } = data?.location ?? {}
  useEffect(() => {
    if (lat !== undefined && lng !== undefined) move({ lat, lng })
  }, [lat, lng])
  return data?.kind === 'asset' ? { id: data.id, name: data.name } : null
}

/** The device looks for its location while the photo is taken. */
function useLocationOfDevice(isWanted: boolean, onMove: (place: LatLng) => void) {
  const [found, setFound] = useState<DeviceLocation | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const move = useEffectEvent(onMove)
  function request() {
    readDeviceLocation({
      onLocation(location) {
        setFound(location)
        setProblem(null)
        move(location)
      },
      onProblem: setProblem,
    })
  }
  const begin = useEffectEvent(request)
  useEffect(() => {
    if (isWanted) begin()
  }, [isWanted])
  return { found, problem, request }
}

type StepProps = { form: ReportForm | null; draft: Draft; onChange(values: Partial<Draft>): void }

function PhotoStep({ form, draft, onChange, onNext }: StepProps & { onNext(): void }) {
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

type PlaceStepProps = Pick<ReportPanelProps, 'mapId' | 'center'> & {
  form: ReportForm | null
  asset: ReturnType<typeof useAsset>
  location: ReturnType<typeof useLocationOfDevice>
  onChoose(type: IncidentType): void
  onBack(): void
}

const restMs = 400

function PlaceStep({ mapId, form, asset, center, location, onChoose, onBack }: PlaceStepProps) {
  const [rested] = useDebouncedValue(center, restMs)
  const similar = useQuery({
    ...similarIncidentsQuery(mapId, rested ?? { lat: 0, lng: 0 }),
    enabled: rested !== null,
  })
  const { found, problem, request } = location
  const where = asset?.name ?? similar.data?.where
  return (
    <StepForm onBack={onBack}>
      <p>
        Move the map until the cross is at the problem
        <span role="status">
          {where ? (
            <>
              : <b>{where}</b>
            </>
          ) : (
            similar.data && ': not on a parcel'
          )}
        </span>
        .{' '}
        {found && (
          <span>
            {found.accuracyMeters > roughMeters
              ? `Your location is only accurate to ${Math.round(found.accuracyMeters)} m.`
              : `Your location is accurate to ${Math.round(found.accuracyMeters)} m.`}
          </span>
        )}{' '}
        <Anchor component="button" type="button" onClick={request}>
          <IconCurrentLocation size={14} aria-hidden="true" /> Use my location
        </Anchor>
      </p>
      {problem && !found && <p className={classes.dimmed}>{problem}</p>}
      <fieldset className={classes.types}>
        <legend>What is the problem?</legend>
        {!form && <LoadingRows label="Loading types" />}
        {form?.types.map(({ type, label }) => (
          <Button
            key={type}
            variant="default"
            size="md"
            px="sm"
            justify="flex-start"
            disabled={center === null}
            leftSection={<TypeIcon kind="incident" type={type} size={24} />}
            onClick={() => onChoose(type)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <p className={classes.dimmed}>
        <NoticeText text="In an emergency, call 911 first." />
      </p>
    </StepForm>
  )
}

type SimilarStepProps = {
  mapId: string
  place: LatLng | null
  onChoose(same: SimilarIncident | null): void
  onBack(): void
}

function SimilarStep({ mapId, place, onChoose, onBack }: SimilarStepProps) {
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

function TextStep({ form, notice, draft, onChange, onBack, onSend }: TextStepProps) {
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
