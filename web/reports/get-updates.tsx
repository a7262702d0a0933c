import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import type { NewSubscription } from '#domain/subscriptions/subscription.schema.ts'
import type { Frequency, News } from '#domain/subscriptions/subscriptions.ts'
import { settingsQuery } from '#web/api/maps.api.ts'
import { subscribe } from '#web/api/subscriptions.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
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

export const SubscribeDialog = (props: SubscribeDialogProps) => (
  <Dialog
    title={`Get updates about ${props.name}`}
    isOpen
    onClose={props.onClose}
    closesByClickBeside={false}
  >
    {() => <Form {...props} />}
  </Dialog>
)

function Form({ mapId, about, onClose }: SubscribeDialogProps) {
  const [email, setEmail] = useState('')
  const [radiusMeters, setRadiusMeters] = useState(about.topic === 'parcel' ? about.radiusMeters : 0)
  const [types, setTypes] = useState<IncidentType[]>([])
  const [news, setNews] = useState<News>('all')
  const [notices, setNotices] = useState(true)
  const [frequency, setFrequency] = useState<Frequency>('immediately')
  const send = useMutation({
    mutationFn: () =>
      subscribe(mapId, {
        email: email.trim(),
        about: about.topic === 'parcel' ? { ...about, radiusMeters } : about,
        frequency,
        ...(about.topic === 'incident' ? {} : { types, news, notices }),
      }),
  })
  if (send.isSuccess)
    return (
      <div className={classes.report}>
        <p role="status">
          We sent an email to {send.data.sentTo}. Open the link in it to confirm. If it does not arrive, look
          in your spam folder.
        </p>
        <div className={classes.buttons}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    )
  return (
    <form
      className={classes.report}
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <TextInput
        label="Your email address"
        description="Never public. Every email has a link to end it"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {about.topic === 'parcel' && (
        <NativeSelect
          label="How far around the parcel"
          value={radiusMeters}
          data={radiusChoices(radiusMeters)}
          onChange={(event) => setRadiusMeters(Number(event.currentTarget.value))}
        />
      )}
      {about.topic !== 'incident' && (
        <>
          <NewsField value={news} onChange={setNews} />
          <TypesField value={types} onChange={setTypes} />
          <NoticesField value={notices} onChange={setNotices} />
        </>
      )}
      <FrequencyField value={frequency} onChange={setFrequency} />
      <FormFooter failure={send.error?.message}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={send.isPending} disabled={email.trim() === ''}>
          Get updates
        </Button>
      </FormFooter>
    </form>
  )
}
