import { Skeleton } from '@mantine/core'
import { kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './feature-table.module.css'
import { StatusSelect } from './status-control.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

/** The head is the first row to a screen reader, which counts from 1. */
export const firstRowNumber = 2

type FeatureTableRowProps = {
  id: string
  mapId: string
  /** Counted from 0. */
  index: number
  /** Pixels; every row has the same, so that any row of the table can be gone to at once. */
  height: number
  /** Undefined while its part of the table is on its way. */
  feature: FeatureSummary | undefined
  isSelected: boolean
  isActive: boolean
  mayEdit: boolean
  /** Undefined: rows are not marked. */
  isMarked: boolean | undefined
  /** `isRange`: with all rows since the one that was marked last. */
  onMark(isRange: boolean): void
  onSelect(feature: FeatureSummary): void
}

export function FeatureTableRow({ id, mapId, index, height, feature, ...row }: FeatureTableRowProps) {
  if (!feature)
    return (
      <tr id={id} className={classes.row} aria-rowindex={index + firstRowNumber} style={{ height }}>
        <td colSpan={7} data-column="none">
          <Skeleton height={12} />
        </td>
      </tr>
    )
  const { kind, type, status, severity, date, parcel } = feature
  const name = feature.name || 'Untitled'
  const cells: { column: string; content: React.ReactNode; title?: string | undefined }[] = [
    {
      column: 'kind',
      content: (
        <Sign isMarked={row.isMarked} onMark={row.onMark} name={name} title={kindLabels[kind].one}>
          <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={22} />
        </Sign>
      ),
    },
    { column: 'name', content: name, title: name },
    { column: 'type', content: type === null ? '–' : typeLabel(kind, type) },
    {
      column: 'severity',
      content: kind === 'incident' ? <SeverityBadge severity={severity} /> : '–',
    },
    {
      column: 'status',
      content: <Status mapId={mapId} feature={feature} name={name} mayEdit={row.mayEdit} />,
    },
    {
      column: 'date',
      content:
        date === null ? (
          '–'
        ) : (
          <time dateTime={date} title={exactTime(date)}>
            {relativeTime(date)}
          </time>
        ),
    },
    { column: 'parcel', content: parcel?.name ?? '–', title: parcel?.name },
  ]
  return (
    <tr
      id={id}
      // A press gives the focus to the grid.
      tabIndex={-1}
      className={classes.row}
      style={{ height }}
      aria-rowindex={index + firstRowNumber}
      aria-selected={row.isSelected}
      data-active={row.isActive || undefined}
      data-marked={row.isMarked || undefined}
      onMouseDown={(event) => {
        // It would select text.
        if (row.isMarked !== undefined && event.shiftKey) event.preventDefault()
      }}
      onClick={(event) => {
        const isRange = event.shiftKey
        if (row.isMarked !== undefined && (isRange || event.ctrlKey || event.metaKey)) row.onMark(isRange)
        else row.onSelect(feature)
      }}
    >
      {cells.map(({ column, content, title }) => (
        <td key={column} data-column={column} data-empty={content === '–' || undefined} title={title}>
          {content}
        </td>
      ))}
    </tr>
  )
}

type SignProps = {
  isMarked: boolean | undefined
  onMark(isRange: boolean): void
  name: string
  title: string
  children: React.ReactNode
}

/** The sign of the row, which marks it, too. */
function Sign({ isMarked, onMark, name, title, children }: SignProps) {
  const said = (
    <>
      {children}
      <span>{title}</span>
    </>
  )
  if (isMarked === undefined)
    return (
      <span className={classes.kind} title={title}>
        {said}
      </span>
    )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a press on the box from selecting the row
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <label className={classes.kind} title={title} onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        className={classes.mark}
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isMarked}
        onChange={({ nativeEvent }) => onMark((nativeEvent as MouseEvent).shiftKey === true)}
      />
      {said}
    </label>
  )
}

type StatusProps = { mapId: string; feature: FeatureSummary; name: string; mayEdit: boolean }

function Status({ mapId, feature: { id, status, version }, name, mayEdit }: StatusProps) {
  if (status === null) return '–'
  if (!mayEdit) return <StatusBadge status={status} />
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a press on the control from selecting the row
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span onClick={(event) => event.stopPropagation()}>
      <StatusSelect mapId={mapId} subject={{ id, name, status, version }} tabIndex={-1} />
    </span>
  )
}
