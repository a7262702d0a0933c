import { Button, Radio, Stack, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Delivery, Endpoint, SecretChange } from '#domain/webhooks/webhook.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import {
  changeSecret,
  changeWebhook,
  deliveriesQuery,
  removeWebhook,
  repeatDelivery,
  sendTest,
  webhooksQuery,
} from '#web/api/webhooks.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { Fact, FactList } from '#web/ui/facts.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { clockTime, exactTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { SecretShown } from './secret-shown.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import classes from './webhooks-panel.module.css'
import { eventLabel, eventsText, offWords, stateLabel, triesText, webhookName } from './words.ts'

type OneWebhookProps = { mapId: string; endpoint: Endpoint; onClose(): void }

export function OneWebhook({ mapId, endpoint, onClose }: OneWebhookProps) {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'edit' | 'secret' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const follow = () => followChanges(client, [{ mapId, part: 'webhooks', id: endpoint.id, version: null }])
  const { id, url, description, events, kinds, isOn, off, formerSecretUntil } = endpoint
  const switching = useMutation({
    mutationFn: () => changeWebhook(mapId, endpoint, { url, description, events, kinds, isOn: !isOn }),
    onSuccess: () => showSuccess(isOn ? 'Webhook turned off' : 'Webhook turned on'),
    onError: (error) => showError('Could not change the webhook', error),
    onSettled: follow,
  })
  const testing = useMutation({
    mutationFn: () => sendTest(mapId, id),
    onError: (error) => showError('Could not send the test', error),
    onSettled: follow,
  })
  const removing = useMutation({
    mutationFn: () => removeWebhook(mapId, endpoint),
    onSuccess() {
      onClose()
      showSuccess('Webhook removed')
    },
    onError: (error) => showError('Could not remove the webhook', error),
    onSettled: follow,
  })
  return (
    <div className={classes.panel}>
      <nav>
        <Button variant="subtle" size="compact-sm" className={classes.back} onClick={onClose}>
          All webhooks
        </Button>
      </nav>
      <h2 className={classes.title}>{webhookName(endpoint)}</h2>
      {off !== null && (
        <p className={classes.warning} role="status">
          <b>Off since {exactTime(off.at)}.</b> {offWords[off.reason]} Events are not sent while it is off.
        </p>
      )}
      <FactList>
        <Fact label="URL" isWide>
          {url}
        </Fact>
        <Fact label="Events" isWide>
          {eventsText(endpoint)}
        </Fact>
        <Fact label="Added">
          {exactTime(endpoint.createdAt)} by {endpoint.createdBy}
        </Fact>
        {formerSecretUntil !== null && (
          <Fact label="Previous secret">valid until {exactTime(formerSecretUntil)}</Fact>
        )}
      </FactList>
      <div className={classes.ways}>
        <SmallButton onClick={() => setDialog('edit')}>Edit</SmallButton>
        <SmallButton disabled={!isOn} loading={testing.isPending} onClick={() => testing.mutate()}>
          Send test
        </SmallButton>
        <SmallButton onClick={() => setDialog('secret')}>Change secret</SmallButton>
        <Button
          size="xs"
          variant={isOn ? 'default' : 'filled'}
          loading={switching.isPending}
          onClick={() => switching.mutate()}
        >
          {isOn ? 'Turn off' : 'Turn on'}
        </Button>
        <SmallButton
          c="var(--mantine-color-error)"
          loading={removing.isPending}
          onClick={() => setDialog('remove')}
        >
          Remove
        </SmallButton>
      </div>
      <Deliveries mapId={mapId} id={id} isOn={isOn} isGoing={removing.isPending || removing.isSuccess} />
      <WebhookDialog mapId={mapId} endpoint={endpoint} isOpen={dialog === 'edit'} onClose={close} />
      <SecretDialog mapId={mapId} endpoint={endpoint} isOpen={dialog === 'secret'} onClose={close} />
      <Confirmation
        title="Remove webhook?"
        isOpen={dialog === 'remove'}
        stay="Cancel"
        onStay={close}
        go="Remove webhook"
        onGo={() => {
          close()
          removing.mutate()
        }}
        isDestructive
      >
        {() => (
          <p>
            {webhookName(endpoint)} will no longer receive events. The secret and the delivery history are
            deleted permanently. To pause the webhook, turn it off instead.
          </p>
        )}
      </Confirmation>
    </div>
  )
}

type SecretDialogProps = { mapId: string; endpoint: Endpoint; isOpen: boolean; onClose(): void }

function SecretDialog({ mapId, endpoint, isOpen, onClose }: SecretDialogProps) {
  return (
    <Dialog title="Change secret" isOpen={isOpen} onClose={onClose} closesByClickBeside={false}>
      {() => <NewSecret mapId={mapId} endpoint={endpoint} onClose={onClose} />}
    </Dialog>
  )
}

function NewSecret({ mapId, endpoint, onClose }: Omit<SecretDialogProps, 'isOpen'>) {
  const client = useQueryClient()
  const [formerEnds, setFormerEnds] = useState<SecretChange['formerEnds']>('after-a-day')
  const making = useMutation({
    mutationFn: () => changeSecret(mapId, endpoint, { formerEnds }),
    onSettled: () => followChanges(client, [{ mapId, part: 'webhooks', id: endpoint.id, version: null }]),
  })
  if (making.data) return <SecretShown secret={making.data.secret} onClose={onClose} />
  return (
    <>
      <Radio.Group
        label="Current secret"
        value={formerEnds}
        onChange={(value) => setFormerEnds(value as SecretChange['formerEnds'])}
      >
        <Stack gap="sm" mt={8}>
          <Radio
            value="after-a-day"
            label="Valid for 24 more hours"
            description="Messages carry both signatures, so you have time to update the receiver."
          />
          <Radio value="at-once" label="Expires now" description="Use this if the secret has leaked." />
        </Stack>
      </Radio.Group>
      <FormFooter failure={making.error && `Could not change the secret: ${making.error.message}`}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={making.isPending} onClick={() => making.mutate()}>
          Create secret
        </Button>
      </FormFooter>
    </>
  )
}

type DeliveriesProps = {
  mapId: string
  id: string
  isOn: boolean
  isGoing: boolean
}

function Deliveries({ mapId, id, isOn, isGoing }: DeliveriesProps) {
  const client = useQueryClient()
  const pages = useInfiniteQuery({ ...deliveriesQuery(mapId, id), enabled: !isGoing })
  const items = pages.data?.pages.flatMap((page) => page.items) ?? []
  const newest = items[0] && `${items[0].id} ${items[0].state} ${items[0].tries}`
  // A failed delivery may have switched the webhook off.
  useEffect(() => {
    if (newest !== undefined) void client.invalidateQueries({ queryKey: webhooksQuery(mapId).queryKey })
  }, [client, mapId, newest])
  const repeating = useMutation({
    mutationFn: (deliveryId: string) => repeatDelivery(mapId, id, deliveryId),
    onError: (error) => showError('Could not resend the message', error),
    onSettled: () => followChanges(client, [{ mapId, part: 'webhooks', id, version: null }]),
  })
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      {loadFailure(pages, 'Could not load the deliveries.')}
      {pages.isPending && <LoadingRows label="Loading deliveries" />}
      {pages.data && items.length === 0 && (
        <EmptyState text="No deliveries in the last 30 days. Send a test to check the connection." />
      )}
      {items.length > 0 && (
        <table className={classes.table} aria-label="Deliveries">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Status</th>
              <th scope="col">
                <VisuallyHidden component="span">Resend</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                canRepeat={isOn}
                isRepeating={repeating.isPending && repeating.variables === delivery.id}
                onRepeat={() => repeating.mutate(delivery.id)}
              />
            ))}
          </tbody>
        </table>
      )}
      <LoadMore
        hasMore={pages.hasNextPage}
        isLoading={pages.isFetchingNextPage}
        error={pages.isFetchNextPageError ? pages.error : null}
        onMore={() => void pages.fetchNextPage()}
      />
    </section>
  )
}

type DeliveryRowProps = { delivery: Delivery; canRepeat: boolean; isRepeating: boolean; onRepeat(): void }

function DeliveryRow({ delivery, canRepeat, isRepeating, onRepeat }: DeliveryRowProps) {
  const { event, at, subject, state, error, nextTryAt, tries } = delivery
  const name = `${eventLabel(event)}, ${exactTime(at)}`
  return (
    <tr>
      <td>
        <b>{eventLabel(event)}</b>
        {subject !== null && <span className={classes.subject}>{subject}</span>}
        <time dateTime={at} title={exactTime(at)}>
          {clockTime(Date.parse(at))}
        </time>
      </td>
      <td>
        <span className={classes.state} data-state={state === 'waiting' && tries > 0 ? 'failing' : state}>
          {stateLabel(delivery)}
        </span>
        <span>{triesText(delivery)}</span>
        {error !== null && <span>{error}</span>}
        {nextTryAt !== null && tries > 0 && <span>Next attempt {clockTime(Date.parse(nextTryAt))}</span>}
      </td>
      <td>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Resend ${name}`}
          disabled={!canRepeat}
          loading={isRepeating}
          onClick={onRepeat}
        >
          Resend
        </Button>
      </td>
    </tr>
  )
}
