import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Attention, Client, ClientTotals } from '#domain/clients/client.schema.ts'
import { columnFilters } from '#domain/features/filters.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { ClientMenu } from '#web/clients/client-card.tsx'
import { SeverityBadge, StatusBadge } from '#web/features/badges.tsx'
import { exactTime, localDay } from '#web/ui/relative-time.ts'
import classes from './client-table.module.css'

type ClientTableProps = { clients: readonly Client[]; total: number; totals: ClientTotals | undefined }

export function ClientTable({ clients, total, totals }: ClientTableProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">Properties</th>
          <th scope="col">Open incidents</th>
          <th scope="col">Assets out of order</th>
          <th scope="col">Last updated</th>
          <th scope="col">
            <VisuallyHidden component="span">More</VisuallyHidden>
          </th>
        </tr>
      </thead>
      {totals && (
        <tbody>
          <tr className={classes.totals}>
            <th scope="row">{total === 1 ? '1 client' : `All ${formatNumber(total)} clients`}</th>
            <Counts properties={totals.properties} attention={totals.attention} />
            <td />
            <td />
          </tr>
        </tbody>
      )}
      <tbody>
        {clients.map((client) => (
          <ClientRow key={client.id} client={client} />
        ))}
      </tbody>
    </table>
  )
}

function ClientRow({ client }: { client: Client }) {
  const { id, name, location, properties, attention, lastUpdated, archivedAt } = client
  return (
    <tr className={classes.row} data-archived={archivedAt !== null || undefined}>
      <th scope="row">
        {archivedAt === null ? (
          <Link
            to="/config/map/$mapId/$section"
            params={{ mapId: id, section: 'map' }}
            aria-label={`Select ${name}`}
          >
            {name}
          </Link>
        ) : (
          name
        )}
        <span className={classes.location}>{location || 'No location'}</span>
      </th>
      <Counts properties={properties} attention={attention} />
      <td data-column="updated">
        <time dateTime={lastUpdated} title={exactTime(lastUpdated)}>
          {localDay(lastUpdated)}
        </time>
      </td>
      <td data-column="menu">
        <ClientMenu client={client} />
      </td>
    </tr>
  )
}

function Counts({ properties, attention }: { properties: number; attention: Attention }) {
  const { incidents, ...assets } = attention
  return (
    <>
      <td data-column="properties">{formatNumber(properties)}</td>
      <td data-column="incidents">
        <CountList
          parts={columnFilters.severity.map((severity) => ({
            count: incidents[severity],
            badge: <SeverityBadge severity={severity === 'unknown' ? null : severity} />,
          }))}
        />
      </td>
      <td data-column="assets">
        <CountList
          parts={(['offline', 'maintenance'] as const).map((status) => ({
            count: assets[status],
            badge: <StatusBadge status={status} />,
          }))}
        />
      </td>
    </>
  )
}

/** Omits counts of zero. */
function CountList({ parts }: { parts: { count: number; badge: ReactElement }[] }) {
  const positive = parts.filter(({ count }) => count > 0)
  if (positive.length === 0) return <span className={classes.none}>None</span>
  return (
    <span className={classes.counts}>
      {positive.map(({ count, badge }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
        <span key={index}>
          {formatNumber(count)} {badge}
        </span>
      ))}
    </span>
  )
}
