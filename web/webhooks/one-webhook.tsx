import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '#domain/webhooks/webhook.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeWebhook, removeWebhook, sendTest } from '#web/api/webhooks.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { Fact, FactList } from '#web/ui/facts.tsx'
import { exactTime } from '#web/ui/relative-time.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'
import { Deliveries } from './deliveries.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import classes from './webhooks-panel.module.css'
import { nameOf, offWords, sayEvents } from './words.ts'

type OneWebhookProps = { mapId: string; endpoint: Endpoint; onClose(): void }

export function OneWebhook({ mapId, endpoint, onClose }: OneWebhookProps) {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'edit' | 'secret' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const follow = () => followChanges(client, [{ mapId, part: 'webhooks', id: endpoint.id, version: null }])
  const { id, url, description, events, kinds, isOn, off, formerSecretUntil } = endpoint
  const switching = useMutation({
    mutationFn: () => changeWebhook(mapId, endpoint, { url, description, events, kinds, isOn: !isOn }),
    onSuccess: () => tellDone(isOn ? 'The webhook is off' : 'The webhook is on'),
    onError: (error) => tellFailed('The webhook was not changed', error),
    onSettled: follow,
  })
  const testing = useMutation({
    mutationFn: () => sendTest(mapId, id),
    onError: (error) => tellFailed('The test was not sent', error),
    onSettled: follow,
  })
  const removing = useMutation({
    mutationFn: () => removeWebhook(mapId, endpoint),
    onSuccess() {
      onClose()
      tellDone('The webhook is removed')
    },
    onError: (error) => tellFailed('The webhook was not removed', error),
    onSettled: follow,
  })
  return (
    <div className={classes.panel}>
      <nav>
        <Button variant="subtle" size="compact-sm" className={classes.back} onClick={onClose}>
          All webhooks
        </Button>
      </nav>
      <h1>{nameOf(endpoint)}</h1>
      {off !== null && (
        <p className={classes.warning} role="status">
          <b>Off since {exactTime(off.at)}.</b> {offWords[off.reason]} What happens meanwhile is not sent.
        </p>
      )}
      <FactList>
        <Fact label="Address" isWide>
          {url}
        </Fact>
        <Fact label="Sent for" isWide>
          {sayEvents(endpoint)}
        </Fact>
        <Fact label="Added">
          {exactTime(endpoint.createdAt)} by {endpoint.createdBy}
        </Fact>
        {formerSecretUntil !== null && (
          <Fact label="Former secret">signs until {exactTime(formerSecretUntil)}</Fact>
        )}
      </FactList>
      <div className={classes.ways}>
        <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
          Edit
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!isOn}
          loading={testing.isPending}
          onClick={() => testing.mutate()}
        >
          Send a test
        </Button>
        <Button size="xs" variant="default" onClick={() => setDialog('secret')}>
          New secret
        </Button>
        <Button
          size="xs"
          variant={isOn ? 'default' : 'filled'}
          loading={switching.isPending}
          onClick={() => switching.mutate()}
        >
          {isOn ? 'Switch off' : 'Switch on'}
        </Button>
        <Button size="xs" variant="default" loading={removing.isPending} onClick={() => setDialog('remove')}>
          Remove
        </Button>
      </div>
      <Deliveries mapId={mapId} id={id} isOn={isOn} isGoing={removing.isPending || removing.isSuccess} />
      <WebhookDialog mapId={mapId} endpoint={endpoint} isOpen={dialog === 'edit'} onClose={close} />
      <SecretDialog mapId={mapId} endpoint={endpoint} isOpen={dialog === 'secret'} onClose={close} />
      <Confirmation
        title="Remove the webhook?"
        isOpen={dialog === 'remove'}
        stay="Cancel"
        onStay={close}
        go="Remove"
        onGo={() => {
          close()
          removing.mutate()
        }}
        advised="go"
      >
        {() => (
          <p>
            Nothing more is sent to {nameOf(endpoint)}. Its secret and the list of what was sent are gone for
            good. To pause it, switch it off instead.
          </p>
        )}
      </Confirmation>
    </div>
  )
}
