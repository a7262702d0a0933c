import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Delivery } from '#domain/webhooks/webhook.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { deliveriesQuery, repeatDelivery, webhooksQuery } from '#web/api/webhooks.api.ts'
import { loadFailure } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { clockTime, exactTime } from '#web/ui/relative-time.ts'
import { showError } from '#web/ui/toasts.tsx'
import classes from './webhooks-panel.module.css'
import { eventLabel, stateLabel, triesText } from './words.ts'

type DeliveriesProps = {
  mapId: string
  id: string
  isOn: boolean
  isGoing: boolean
}

export function Deliveries({ mapId, id, isOn, isGoing }: DeliveriesProps) {
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
    onError: (error) => showError('It was not sent again', error),
    onSettled: () => followChanges(client, [{ mapId, part: 'webhooks', id, version: null }]),
  })
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      {loadFailure(pages, 'The deliveries could not be loaded.')}
      {pages.data && items.length === 0 && (
        <p className={classes.dimmed}>
          Nothing was sent within 30 days. A test shows whether it would arrive.
        </p>
      )}
      {items.length > 0 && (
        <table className={classes.table} aria-label="Deliveries">
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col">Outcome</th>
              <th scope="col">
                <VisuallyHidden component="span">Repeat</VisuallyHidden>
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
        {nextTryAt !== null && tries > 0 && <span>Next try {clockTime(Date.parse(nextTryAt))}</span>}
      </td>
      <td>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Repeat ${name}`}
          disabled={!canRepeat}
          loading={isRepeating}
          onClick={onRepeat}
        >
          Repeat
        </Button>
      </td>
    </tr>
  )
}
