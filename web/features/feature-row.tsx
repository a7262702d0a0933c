import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { cutText } from '#domain/values/text.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './feature-list.module.css'
import { ShapeIcon } from './shape-icon.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

type FeatureRowProps = { feature: FeatureSummary; look: 'types' | 'shapes' }

/** What one row of a list says: title, one line of facts, the beginning of the description. */
export function FeatureRow({ feature, look }: FeatureRowProps) {
  const { kind, shape, type, status, severity, date, name, description } = feature
  const isResolved = status === 'resolved'
  const hasSeverity = kind === 'incident' && (status === 'resolved' || status === 'unresolved')
  return (
    <>
      {look === 'types' ? (
        <TypeIcon kind={kind} type={type} isResolved={isResolved} />
      ) : (
        <ShapeIcon kind={kind} shape={shape} />
      )}
      <span className={classes.text} data-dimmed={isResolved || undefined}>
        <span className={classes.title}>{name || 'Untitled'}</span>
        <span className={classes.meta}>
          {kind !== 'parcel' && <span>{typeLabel(kind, type)}</span>}
          {hasSeverity && <SeverityBadge severity={severity} />}
          {status !== null && status !== 'unresolved' && <StatusBadge status={status} />}
          {date !== null && (
            <time dateTime={date} title={exactTime(date)}>
              {relativeTime(date)}
            </time>
          )}
        </span>
        {description !== '' && <span className={classes.description}>{cutText(description)}</span>}
      </span>
    </>
  )
}
