import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type {
  OwnSubscriptions,
  Subscription,
  SubscriptionChange,
} from '#domain/subscriptions/subscription.schema.ts'
import { topicInWords } from '#domain/subscriptions/subscriptions.ts'
import { RequestError } from '#web/api/http.ts'
import {
  changeSubscription,
  confirmSubscription,
  endAllSubscriptions,
  endSubscription,
  ownSubscriptionsQuery,
  type SubscriptionLink,
} from '#web/api/subscriptions.api.ts'
import { ConfirmedButton } from '#web/ui/confirmed-button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import page from '#web/ui/private-page.module.css'
import classes from './own-report.module.css'
import { FrequencyField, NewsField, NoticesField, radiusChoices, TypesField } from './subscription-fields.tsx'

/** The page of the link in emails, without an account. Programs that open links do not press its buttons. */
export function OwnSubscriptionsList({ own }: { own: SubscriptionLink }) {
  const client = useQueryClient()
  const query = useQuery({ ...ownSubscriptionsQuery(own), retry: false })
  const show = (changed: OwnSubscriptions) =>
    client.setQueryData(ownSubscriptionsQuery(own).queryKey, changed)
  const confirm = useMutation({ mutationFn: () => confirmSubscription(own), onSuccess: show })
  const endAll = useMutation({ mutationFn: () => endAllSubscriptions(own), onSuccess: show })
  const { data, error } = query
  if (error instanceof RequestError && [400, 404].includes(error.status))
    return (
      <p>
        There is no subscription at this link. Check that the link is complete. Links end a month after the
        subscription, or after a week without a confirmation.
      </p>
    )
  if (error && !data)
    return <ErrorState title="Could not load your updates." error={error} onRetry={() => query.refetch()} />
  if (!data) return <p>Loading your updates…</p>
  const { email, association, items } = data
  const unconfirmed = items.find(({ id, isConfirmed }) => id === own.id && !isConfirmed)
  const confirmed = items.filter(({ isConfirmed }) => isConfirmed)
  const failure = confirm.error ?? endAll.error
  return (
    <div className={page.content}>
      {unconfirmed && (
        <>
          <p>
            Confirm to get updates from {association} at {email}: {topicInWords(unconfirmed)}
          </p>
          <div className={page.buttons}>
            <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
              Confirm
            </Button>
          </div>
        </>
      )}
      {confirm.isSuccess && (
        <p className={classes.state} role="status">
          Thank you. You get these updates from now on.
        </p>
      )}
      {!unconfirmed && confirmed.length === 0 && (
        <p role="status">
          {email} gets no more of these updates from {association}.
        </p>
      )}
      {confirmed.length > 0 && (
        <>
          <p>
            {association} sends updates to {email}:
          </p>
          <ul className={classes.notes} aria-label="Your updates">
            {confirmed.map((item) => (
              <li key={item.id}>
                <Item own={own} item={item} onChanged={show} />
              </li>
            ))}
          </ul>
        </>
      )}
      {failure && <p role="alert">{failure.message}</p>}
      <div className={page.buttons}>
        <Link to="/map/$mapId" params={{ mapId: own.mapId }}>
          Open the map
        </Link>
        {confirmed.length > 1 && (
          <ConfirmedButton
            loading={endAll.isPending}
            question="End all updates?"
            consequence={`${association} sends no more updates to ${email}. You can subscribe again on the map.`}
            go="End all"
            onGo={endAll.mutate}
          >
            End all
          </ConfirmedButton>
        )}
      </div>
    </div>
  )
}

type ItemProps = { own: SubscriptionLink; item: Subscription; onChanged(changed: OwnSubscriptions): void }

function Item({ own, item, onChanged }: ItemProps) {
  const change = useMutation({
    mutationFn: (changed: SubscriptionChange) => changeSubscription(own, item.id, changed),
    onSuccess: onChanged,
  })
  const end = useMutation({ mutationFn: () => endSubscription(own, item.id), onSuccess: onChanged })
  const disabled = change.isPending || end.isPending
  const failure = change.error ?? end.error
  const name = topicInWords(item)
  return (
    <section className={classes.item} aria-label={name}>
      <h2>{name}</h2>
      <FrequencyField
        value={item.frequency}
        disabled={disabled}
        onChange={(frequency) => change.mutate({ frequency })}
      />
      {item.topic === 'parcel' && (
        <NativeSelect
          label="How far around the parcel"
          value={item.radiusMeters ?? 0}
          disabled={disabled}
          data={radiusChoices(item.radiusMeters ?? 0)}
          onChange={(event) => change.mutate({ radiusMeters: Number(event.currentTarget.value) })}
        />
      )}
      {item.topic !== 'incident' && (
        <>
          <NewsField value={item.news} disabled={disabled} onChange={(news) => change.mutate({ news })} />
          <TypesField value={item.types} disabled={disabled} onChange={(types) => change.mutate({ types })} />
          <NoticesField
            value={item.notices}
            disabled={disabled}
            onChange={(notices) => change.mutate({ notices })}
          />
        </>
      )}
      {failure && <p role="alert">{failure.message}</p>}
      <div className={page.buttons}>
        <ConfirmedButton
          aria-label={`End: ${name}`}
          loading={end.isPending}
          question="End these updates?"
          consequence={`You get no more updates: ${name}. You can subscribe again on the map.`}
          go="End"
          onGo={end.mutate}
        >
          End
        </ConfirmedButton>
      </div>
    </section>
  )
}
