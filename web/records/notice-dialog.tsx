import { Button, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NoticeReach } from '#domain/subscriptions/notice.schema.ts'
import { maxNoticeCharacters, maxRadiusMeters } from '#domain/subscriptions/subscriptions.ts'
import { counted } from '#domain/values/wording.ts'
import type { BulkTarget } from '#web/api/bulk-changes.api.ts'
import { newKey } from '#web/api/http.ts'
import { noticeReachQuery, sendNotice } from '#web/api/notices.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { readersUnits } from '#web/ui/measures.ts'
import { showSuccess } from '#web/ui/toasts.tsx'
import classes from './bulk-bar.module.css'

type NoticeDialogProps = {
  mapId: string
  target: BulkTarget
  /** '3 parcels' */
  selected: string
  isOnlyParcels: boolean
  onClose(): void
}

export const NoticeDialog = (props: NoticeDialogProps) => (
  <Dialog title="Send a notice" isOpen onClose={props.onClose} size="lg" closesByClickBeside={false}>
    {() => <NoticeForm {...props} />}
  </Dialog>
)

const pauseMs = 300
const units = {
  imperial: { name: 'feet', meters: 0.3048, usual: 300 },
  metric: { name: 'meters', meters: 1, usual: 100 },
}

function NoticeForm({ mapId, target, selected, isOnlyParcels, onClose }: NoticeDialogProps) {
  const unit = units[readersUnits()]
  const [id] = useState(newKey)
  const [distance, setDistance] = useState<number | string>(isOnlyParcels ? 0 : unit.usual)
  const [subject, setSubject] = useState('')
  const [message, setMessage] = useState('')
  const meters = Math.round(Number(distance) * unit.meters)
  const [previewed] = useDebouncedValue(meters, pauseMs)
  const reach = useQuery(noticeReachQuery(mapId, { target, meters: previewed }))
  const isCurrent = previewed === meters && !reach.isPlaceholderData && reach.data !== undefined
  const send = useMutation({
    mutationFn: () => sendNotice(mapId, { target, meters, id, subject, message }),
    onSuccess({ people }) {
      showSuccess(`Notice is on its way to ${counted(people, 'person', 'people')}`)
      onClose()
    },
  })
  const isComplete = subject.trim() !== '' && message.trim() !== ''
  const isReady = isCurrent && isComplete && reach.data.people > 0
  return (
    <form
      className={classes.notice}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !send.isPending) send.mutate()
      }}
    >
      <NumberInput
        label={`Distance around ${selected}, in ${unit.name}`}
        min={0}
        max={Math.floor(maxRadiusMeters / unit.meters)}
        allowDecimal={false}
        value={distance}
        onChange={setDistance}
      />
      <TextInput
        label="Subject"
        required
        maxLength={200}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Textarea
        label="Message"
        description="Plain text. Replies go to the email address of the association"
        required
        autosize
        minRows={5}
        maxRows={15}
        maxLength={maxNoticeCharacters}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <div className={classes.preview} data-stale={!isCurrent || undefined} aria-live="polite">
        <p>
          {reach.error ? reach.error.message : reach.data ? reachInWords(reach.data) : 'Counting people…'}
        </p>
      </div>
      <FormFooter failure={send.error && `The notice was not sent: ${send.error.message}`}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={send.isPending}
          data-disabled={!isReady || undefined}
          aria-disabled={!isReady}
        >
          {isCurrent ? `Send to ${counted(reach.data.people, 'person', 'people')}` : 'Send'}
        </Button>
      </FormFooter>
    </form>
  )
}

const reachInWords = ({ parcels, people }: NoticeReach) =>
  `${counted(parcels, 'parcel')}; ${counted(people, 'person', 'people')} will get it. They follow this place by email and agreed to notices.`
