import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { newKey } from '#web/api/http.ts'
import { DetailContent, DetailFrame } from '#web/features/detail-frame.tsx'
import { usePublishedReporting } from '#web/workspace/reporting.ts'
import { ChosenPhotos, NoticeStep, useReportForm } from './report-form-parts.tsx'
import classes from './report-panel.module.css'
import { PlaceStep, useAsset, useLocationOfDevice } from './report-place.tsx'
import { type Draft, PhotoStep, SimilarStep, TextStep } from './report-steps.tsx'
import { ReportsOnDevice, SentStep } from './reports-on-device.tsx'
import { keepReport, secondsSince } from './waiting-reports.ts'

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

const nothing: Draft = {
  photos: [],
  type: null,
  place: null,
  sameAs: null,
  description: '',
  email: '',
  website: '',
}

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
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), [])
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
        <div className={classes.head}>
          <h2 ref={headingRef} tabIndex={-1} className={classes.title}>
            {titles[step]}
          </h2>
          {step !== 'sent' && <ChosenPhotos photos={draft.photos} />}
        </div>
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
