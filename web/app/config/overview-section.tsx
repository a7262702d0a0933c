import { Button } from '@mantine/core'
import { IconMap2, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attention, MapSummary } from '#domain/clients/client.schema.ts'
import { featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { columnFilters } from '#domain/features/filters.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { ActivityList } from '#web/activity/activity-list.tsx'
import { clientQuery } from '#web/api/clients.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { SeverityBadge, StatusBadge } from '#web/features/badges.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import type { ConfigMapSearch } from './config-search.ts'
import classes from './overview-section.module.css'

const DueMaintenance = lazyPart(() =>
  import('#web/records/maintenance/due-maintenance.tsx').then((module) => module.DueMaintenance),
)

const shownActivities = 5

export function OverviewSection({
  summary,
  configuration,
}: {
  summary: MapSummary
  configuration: MapConfigurationAnswer
}) {
  const isStaff = useMay('staff', summary.id)
  const mayEdit = useMay('editor', summary.id)
  const { client, counts, id } = summary
  const total = featureKinds.reduce((sum, kind) => sum + counts[kind], 0)
  return (
    <div className={classes.overview}>
      <p className={classes.summary}>
        {client && (
          <>
            {client.location} · updated{' '}
            <time dateTime={client.lastUpdated} title={exactTime(client.lastUpdated)}>
              {relativeTime(client.lastUpdated)}
            </time>{' '}
            ·{' '}
          </>
        )}
        {configuration.isApplied ? `settings version ${configuration.version}` : 'default settings'}
      </p>
      <ul className={classes.counts}>
        {featureKinds.map((kind) => (
          <li key={kind}>
            <Link
              to="/config/map/$mapId/$section"
              params={{ mapId: id, section: 'features' }}
              search={{ kind } satisfies ConfigMapSearch}
            >
              <b>{formatNumber(counts[kind])}</b> {kindLabels[kind].many}
            </Link>
          </li>
        ))}
      </ul>
      {total === 0 && (
        <p className={classes.hint}>
          No features yet.{' '}
          {mayEdit ? (
            <>
              <Link to="/config/map/$mapId/$section" params={{ mapId: id, section: 'import' }}>
                Import
              </Link>{' '}
              parcels, assets, or incidents from a file.
            </>
          ) : (
            'Editors of this client can import them.'
          )}
        </p>
      )}
      {client && total > 0 && <NeedsAttention mapId={id} />}
      {client && isStaff && counts.asset > 0 && (
        <Guard what="Due maintenance" layout="inline" waiting={null}>
          <DueMaintenance mapId={id} />
        </Guard>
      )}
      <div className={classes.ways}>
        <Button
          data-print-hidden
          component={Link}
          to={`/map/${id}`}
          variant="default"
          leftSection={<IconMap2 size={16} aria-hidden="true" />}
        >
          Public map
        </Button>
        <Button
          data-print-hidden
          component={Link}
          to={`/webgl/${id}`}
          variant="default"
          leftSection={<IconStack2 size={16} aria-hidden="true" />}
        >
          Viewer
        </Button>
      </div>
      {isStaff && (
        <section aria-label="Recent changes">
          <h2>Recent changes</h2>
          <div className={classes.changes}>
            <ActivityList mapId={id} limit={shownActivities} />
          </div>
        </section>
      )}
    </div>
  )
}

function NeedsAttention({ mapId }: { mapId: string }) {
  const client = useQuery(clientQuery(mapId))
  if (client.isPending) return null
  return client.data ? (
    <AttentionCounts mapId={mapId} attention={client.data.attention} />
  ) : (
    <ErrorState title="Could not load the counts." error={client.error} onRetry={() => client.refetch()} />
  )
}

function AttentionCounts({ mapId, attention }: { mapId: string; attention: Attention }) {
  const incidents = columnFilters.severity.map((severity) => ({
    count: attention.incidents[severity],
    label: <SeverityBadge severity={severity === 'unknown' ? null : severity} />,
    search: { kind: 'incident', status: 'unresolved', severity } as const,
  }))
  const assets = (['offline', 'maintenance'] as const).map((status) => ({
    count: attention[status],
    label: <StatusBadge status={status} />,
    search: { kind: 'asset', status } as const,
  }))
  const groups: { title: string; parts: { count: number; label: ReactNode; search: ConfigMapSearch }[] }[] = [
    { title: 'Open incidents', parts: incidents },
    { title: 'Assets out of order', parts: assets },
  ]
  return (
    <div className={classes.attention}>
      {groups.map(({ title, parts }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {parts.map(({ count, label, search }) => (
              <li key={JSON.stringify(search)} data-none={count === 0 || undefined}>
                <Link
                  to="/config/map/$mapId/$section"
                  params={{ mapId, section: 'features' }}
                  search={search}
                >
                  <b>{formatNumber(count)}</b> {label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
