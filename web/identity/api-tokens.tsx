import { Badge, Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken } from '#domain/access/api-token.schema.ts'
import { apiTokensKey, apiTokensQuery, revokeApiToken, type TokensOf } from '#web/api/api-tokens.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { exactTime, localDay, relativeTime } from '#web/ui/relative-time.ts'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import classes from './api-tokens.module.css'

const MakeToken = lazyPart(() => import('./make-token.tsx').then((module) => module.MakeToken))

export function MakeTokenButton({ mapId }: { mapId?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        Create token
      </Button>
      {isOpen && (
        <Guard what="The token form" layout="dialog" waiting={null} onClose={() => setIsOpen(false)}>
          <MakeToken mapId={mapId} onClose={() => setIsOpen(false)} />
        </Guard>
      )}
    </>
  )
}

export function TokenList({ of }: { of: TokensOf }) {
  const tokens = useQuery({ ...apiTokensQuery(of), staleTime: 0 })
  const [revoked, setRevoked] = useState<ApiToken | null>(null)
  if (tokens.isError && !tokens.data)
    return (
      <ErrorState title="Could not load the tokens." error={tokens.error} onRetry={() => tokens.refetch()} />
    )
  if (!tokens.data) return <LoadingRows label="Loading tokens" height={56} />
  const { items } = tokens.data
  return (
    <>
      {items.length === 0 && <EmptyState text="No tokens yet" />}
      <ul className={classes.list} aria-label="Access tokens">
        {items.map((token) => (
          <TokenItem key={token.id} token={token} isOwn={of === null} onRevoke={() => setRevoked(token)} />
        ))}
      </ul>
      <RevokeQuestion of={of} token={revoked} onClose={() => setRevoked(null)} />
    </>
  )
}

function TokenItem({ token, isOwn, onRevoke }: { token: ApiToken; isOwn: boolean; onRevoke(): void }) {
  const { name, scopes, maps, madeBy, createdAt, expiresAt, lastUsedAt } = token
  const hasEnded = Date.parse(expiresAt) <= Date.now()
  return (
    <li className={classes.token} data-ended={hasEnded || undefined}>
      <div className={classes.text}>
        <p className={classes.name}>
          <b>{name}</b>
          {scopes.map((scope) => (
            <Badge key={scope} component="span" variant="default" size="sm" tt="none" fw={500}>
              {scope}
            </Badge>
          ))}
        </p>
        {isOwn && <p>{maps.map((map) => map.name).join(', ')}</p>}
        <p className={classes.times}>
          <span>
            Created <Moment instant={createdAt} />
            {!isOwn && ` by ${madeBy}`}
          </span>
          <span>
            {lastUsedAt === null ? (
              'Never used'
            ) : (
              <>
                Last used <Moment instant={lastUsedAt} />
              </>
            )}
          </span>
          <span>
            {hasEnded ? 'Expired' : 'Expires'} {localDay(expiresAt)}
          </span>
        </p>
      </div>
      <Button variant="default" size="xs" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}

const Moment = ({ instant }: { instant: string }) => (
  <time dateTime={instant} title={exactTime(instant)}>
    {relativeTime(instant)}
  </time>
)

type RevokeQuestionProps = { of: TokensOf; token: ApiToken | null; onClose(): void }

function RevokeQuestion({ of, token, onClose }: RevokeQuestionProps) {
  const client = useQueryClient()
  const [shown, setShown] = useState(token)
  if (token && token !== shown) setShown(token)
  const revoking = useMutation({
    mutationFn: (id: string) => revokeApiToken(of, id),
    onSuccess() {
      onClose()
      showSuccess(`Token ‘${shown?.name}’ revoked`)
    },
    onSettled: () => client.invalidateQueries({ queryKey: apiTokensKey }),
  })
  return (
    <Confirmation
      title={`Revoke ‘${shown?.name}’?`}
      isOpen={token !== null}
      stay="Cancel"
      onStay={() => {
        revoking.reset()
        onClose()
      }}
      go={revoking.isError ? 'Try again' : 'Revoke'}
      onGo={() => token && revoking.mutate(token.id)}
      isGoing={revoking.isPending}
      isDestructive
    >
      {() => (
        <>
          <Text size="md">
            Programs that use this token lose access {of !== null && 'to this map '}immediately. Changes they
            made remain. You cannot undo this.
          </Text>
          {revoking.isError && (
            <Text size="md" c="var(--mantine-color-error)" mt="sm" role="alert">
              {revoking.error.message}
            </Text>
          )}
        </>
      )}
    </Confirmation>
  )
}
