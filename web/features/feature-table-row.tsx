import { Skeleton } from '@mantine/core'
import { kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './feature-table.module.css'
import { StatusControl } from './status-control.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

/** Pixels; every row has the same, so that any row of the table can be gone to at once. */
export const rowHeight = 44

type FeatureTableRowProps = {
  id: string
  mapId: string
  /** Counted from 0. */
  index: number
  /** Undefined while its part of the table is on its way. */
  feature: FeatureSummary | undefined
  isSelected: boolean
  isActive: boolean
  mayEdit: boolean
  onSelect(feature: FeatureSummary): void
}

export function FeatureTableRow({
  id,
  mapId,
  index,
  feature,
  mayEdit,
  onSelect,
  ...row
}: FeatureTableRowProps) {
  if (!feature)
    return (
      <tr id={id} className={classes.row} aria-rowindex={index + 2} style={{ height: rowHeight }}>
        <td colSpan={mayEdit ? 7 : 6}>
          <Skeleton height={12} />
        </td>
      </tr>
    )
  const { kind, type, status, severity, date, parcel } = feature
  const name = feature.name || 'Untitled'
  return (
    <tr
      id={id}
      tabIndex={-1}
      className={classes.row}
      style={{ height: rowHeight }}
      aria-rowindex={index + 2}
      aria-selected={row.isSelected}
      data-active={row.isActive || undefined}
      onClick={() => onSelect(feature)}
    >
      <td data-column="kind">
        <span className={classes.kind}>
          <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={22} />
          {kindLabels[kind].one}
        </span>
      </td>
      <td data-column="name" title={name}>
        {name}
      </td>
      <td data-column="type">{type === null ? '–' : typeLabel(kind, type)}</td>
      <td data-column="status">
        <span className={classes.status}>
          {status === null ? '–' : <StatusBadge status={status} />}
          {kind === 'incident' && severity !== null && <SeverityBadge severity={severity} />}
        </span>
      </td>
      <td data-column="date">
        {date === null ? (
          '–'
        ) : (
          <time dateTime={date} title={exactTime(date)}>
            {relativeTime(date)}
          </time>
        )}
      </td>
      <td data-column="parcel" title={parcel?.id}>
        {parcel?.name ?? '–'}
      </td>
      {mayEdit && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a press on a control from selecting the row
        // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
        <td data-column="actions" onClick={(event) => event.stopPropagation()}>
          {status !== null && (
            <StatusControl
              mapId={mapId}
              subject={{ id: feature.id, name, status, version: feature.version }}
            />
          )}
        </td>
      )}
    </tr>
  )
}
