import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import type { NewSubscription } from '#domain/subscriptions/subscription.schema.ts'
import { type Frequency, maxAreaPositions, type News } from '#domain/subscriptions/subscriptions.ts'
import { settingsQuery } from '#web/api/maps.api.ts'
import { subscribe } from '#web/api/subscriptions.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form, FormFooter } from '#web/ui/form-frame.tsx'
import page from '#web/ui/private-page.module.css'
import { SmallButton } from '#web/ui/small-button.tsx'
import { type AreaSource, usePublishedAreaRequest } from '#web/workspace/area-request.ts'
import classes from './own-report.module.css'
import { FrequencyField, NewsField, NoticesField, radiusChoices, TypesField } from './subscription-fields.tsx'

type Followed = Extract<FeatureDetail, { kind: 'incident' | 'parcel' }>

/** For visitors, in the details of an incident or a parcel. */
export function GetUpdates({ feature }: { feature: Followed }) {
  const { mapId, id } = feature
  const [isOpen, setIsOpen] = useState(false)
  const { data: settings } = useQuery(settingsQuery)
  if (!settings?.sendsMail || mapId === sampleMapId) return null
  const about =
    feature.kind === 'incident'
      ? ({ topic: 'incident', id } as const)
      : ({ topic: 'parcel', id, radiusMeters: 300 } as const)
  const name = feature.kind === 'incident' ? `‘${feature.title}’` : `the area around ${feature.name}`
  return (
    <div className={classes.single}>
      <SmallButton icon={IconMail} iconSize={14} onClick={() => setIsOpen(true)}>
        Get updates
      </SmallButton>
      {isOpen && <SubscribeDialog mapId={mapId} about={about} name={name} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

type SubscribeDialogProps = {
  mapId: string
  about: NewSubscription['about']
  name: string
  onClose(): void
}

/** Disappears while an area is drawn on the map. */
export function SubscribeDialog({ mapId, about, name, onClose }: SubscribeDialogProps) {
  const [wish, setWish] = useState<Wish>(() => ({
    about,
    email: '',
    types: [],
    news: 'all',
    notices: true,
    frequency: 'immediately',
  }))
  const [requested, setRequested] = useState<AreaSource | null>(null)
  const change = (changes: Partial<Wish>) => setWish((current) => ({ ...current, ...changes }))
  const giveUp = () => setRequested(null)
  usePublishedAreaRequest(
    requested && {
      from: requested,
      maxPositions: maxAreaPositions,
      onArea(ring) {
        const area = { type: 'Polygon' as const, coordinates: [ring.map(([lng, lat]) => [lng, lat])] }
        change({ about: { topic: 'area', area } as Wish['about'], source: requested })
        giveUp()
      },
      onGiveUp: giveUp,
    },
  )
  return (
    <Dialog
      title={`Get updates about ${name}`}
      isOpen={requested !== 'drawing'}
      onClose={onClose}
      closesByClickBeside={false}
    >
      {() => (
        <SubscribeForm
          mapId={mapId}
          wish={wish}
          isAreaPending={requested !== null}
          onChange={change}
          onRequest={setRequested}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type Wish = {
  about: NewSubscription['about']
  /** How its area was chosen. */
  source?: AreaSource | undefined
  email: string
  types: IncidentType[]
  news: News
  notices: boolean
  frequency: Frequency
}

type FormProps = {
  mapId: string
  wish: Wish
  isAreaPending: boolean
  onChange(changes: Partial<Wish>): void
  onRequest(source: AreaSource): void
  onClose(): void
}

function SubscribeForm({ mapId, wish, isAreaPending, onChange, onRequest, onClose }: FormProps) {
  const { about, source, email, types, news, notices, frequency } = wish
  const send = useMutation({
    mutationFn: () =>
      subscribe(mapId, {
        email: email.trim(),
        about,
        frequency,
        ...(about.topic === 'incident' ? {} : { types, news, notices }),
      }),
  })
  function choosePlace(place: string) {
    if (place === 'map') onChange({ about: { topic: 'map' }, source: undefined })
    else onRequest(place as AreaSource)
  }
  if (send.isSuccess)
    return (
      <div className={page.content}>
        <p role="status">
          We sent an email to {send.data.sentTo}. Open the link in it to confirm. If it does not arrive, look
          in your spam folder.
        </p>
        <div className={page.buttons}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    )
  return (
    <Form className={page.content} onSubmit={() => send.mutate()}>
      <TextInput
        label="Your email address"
        description="Never public. Every email has a link to end it"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
      {about.topic === 'parcel' && (
        <NativeSelect
          label="How far around the parcel"
          value={about.radiusMeters}
          data={radiusChoices(about.radiusMeters)}
          onChange={(event) =>
            onChange({ about: { ...about, radiusMeters: Number(event.currentTarget.value) } })
          }
        />
      )}
      {(about.topic === 'map' || about.topic === 'area') && (
        <div className={classes.place}>
          <NativeSelect
            label="Where"
            value={source ?? 'map'}
            data={places}
            onChange={(event) => choosePlace(event.currentTarget.value)}
          />
          {source === 'drawing' && (
            <SmallButton onClick={() => onRequest('drawing')}>Draw it again</SmallButton>
          )}
        </div>
      )}
      {about.topic !== 'incident' && (
        <>
          <NewsField value={news} onChange={(news) => onChange({ news })} />
          <TypesField value={types} onChange={(types) => onChange({ types })} />
          <NoticesField value={notices} onChange={(notices) => onChange({ notices })} />
        </>
      )}
      <FrequencyField value={frequency} onChange={(frequency) => onChange({ frequency })} />
      <FormFooter failure={send.error?.message}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={send.isPending} disabled={email.trim() === '' || isAreaPending}>
          Get updates
        </Button>
      </FormFooter>
    </Form>
  )
}

const places: { value: 'map' | AreaSource; label: string }[] = [
  { value: 'map', label: 'The whole map' },
  { value: 'view', label: 'The part of the map in view' },
  { value: 'drawing', label: 'An area that I draw' },
]
