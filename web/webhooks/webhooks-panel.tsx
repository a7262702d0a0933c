import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Endpoint, maxEndpoints } from '#domain/webhooks/webhook.schema.ts'
import { useMay } from '#web/api/use-session.ts'
import { webhooksQuery } from '#web/api/webhooks.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { EmptyState, LoadingRows, NoPermission } from '#web/ui/states.tsx'
import { OneWebhook } from './one-webhook.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import classes from './webhooks-panel.module.css'
import { stateLabel, webhookName } from './words.ts'

type WebhooksPanelProps = {
  mapId: string
  openId: string | undefined
  onOpen(id: string | undefined): void
}

export function WebhooksPanel(props: WebhooksPanelProps) {
  const mayManage = useMay('manager', props.mapId)
  if (mayManage) return <Webhooks {...props} />
  return (
    <div className={classes.panel}>
      <NoPermission text="Only managers of this client can see its webhooks." />
    </div>
  )
}

function Webhooks({ mapId, openId, onOpen }: WebhooksPanelProps) {
  const answer = useQuery(webhooksQuery(mapId))
  const [isAdding, setIsAdding] = useState(false)
  if (!answer.data)
    return (
      <div className={classes.panel}>
        {answer.isError ? (
          <ErrorState
            title="Could not load the webhooks."
            error={answer.error}
            onRetry={() => answer.refetch()}
          />
        ) : (
          <LoadingRows label="Loading webhooks" height={56} />
        )}
      </div>
    )
  const { items } = answer.data
  const open = items.find(({ id }) => id === openId)
  if (open)
    return <OneWebhook key={open.id} mapId={mapId} endpoint={open} onClose={() => onOpen(undefined)} />
  const add = (
    <Button
      variant={items.length === 0 ? 'filled' : 'default'}
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      disabled={items.length >= maxEndpoints}
      onClick={() => setIsAdding(true)}
    >
      Add webhook
    </Button>
  )
  return (
    <div className={classes.panel}>
      {items.length > 0 && <header className={classes.header}>{add}</header>}
      <p className={classes.note}>
        Webhooks notify other systems, such as county or accounting software, when this map changes.{' '}
        <Anchor href="/api/docs/#/webhooks" target="_blank" underline="always" inherit>
          Developer docs
        </Anchor>
      </p>
      {items.length === 0 && <EmptyState text="No webhooks yet">{add}</EmptyState>}
      {items.length > 0 && (
        <ul className={classes.list} aria-label="Webhooks">
          {items.map((endpoint) => (
            <li key={endpoint.id}>
              <EndpointRow endpoint={endpoint} onOpen={() => onOpen(endpoint.id)} />
            </li>
          ))}
        </ul>
      )}
      <WebhookDialog mapId={mapId} endpoint={null} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </div>
  )
}

function EndpointRow({ endpoint, onOpen }: { endpoint: Endpoint; onOpen(): void }) {
  const { url, description, isOn, off, last } = endpoint
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <b>{webhookName(endpoint)}</b>
      {description !== '' && <span>{url}</span>}
      <span>
        <span className={classes.state} data-state={isOn ? 'delivered' : off?.reason}>
          {isOn ? 'On' : off?.reason === 'switched-off' ? 'Off' : 'Off after failures'}
        </span>{' '}
        {last?.triedAt ? (
          <>
            · last delivery: {stateLabel(last).toLowerCase()},{' '}
            <time dateTime={last.triedAt} title={exactTime(last.triedAt)}>
              {relativeTime(last.triedAt)}
            </time>
          </>
        ) : (
          '· no deliveries yet'
        )}
      </span>
    </button>
  )
}
