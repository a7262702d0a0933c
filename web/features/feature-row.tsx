import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { cutText } from '#domain/values/text.ts'
import { formatLand, otherUnits, readersUnits } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import classes from './feature-list.module.css'
import { ShapeIcon } from './shape-icon.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

type FeatureRowProps = {
  feature: FeatureSummary
  styleName: 'types' | 'shapes'
  isSelected: boolean
  hasDescription: boolean
}

export function FeatureRow({ feature, styleName, isSelected, hasDescription }: FeatureRowProps) {
  const { kind, shape, type, status, severity, date, description } = feature
  const name = feature.name || 'Untitled'
  const isResolved = status === 'resolved'
  return (
    <>
      {styleName === 'types' ? (
        <TypeIcon kind={kind} type={type} isResolved={isResolved} isSelected={isSelected} />
      ) : (
        <ShapeIcon kind={kind} shape={shape} />
      )}
      <span className={classes.text} data-dimmed={isResolved || undefined}>
        <span className={classes.head}>
          <span className={classes.title} title={name}>
            {name}
          </span>
          {date !== null && (
            <time className={classes.date} dateTime={date} title={exactTime(date)}>
              {relativeTime(date)}
            </time>
          )}
        </span>
        <span className={classes.meta}>
          {feature.area === null && feature.owner === null ? (
            <span>{typeLabel(kind, type)}</span>
          ) : (
            <LandFacts land={feature} />
          )}
          {kindTraits[kind].hasSeverity && (isResolved || status === 'unresolved') && (
            <SeverityBadge severity={severity} standsAlone />
          )}
          {status !== null && status !== 'unresolved' && <StatusBadge status={status} />}
        </span>
        {hasDescription && <span className={classes.description}>{cutText(description)}</span>}
      </span>
    </>
  )
}

function LandFacts({ land: { area, owner } }: { land: FeatureSummary }) {
  const units = readersUnits()
  return (
    <>
      {area !== null && (
        <span className={classes.amount} title={formatLand(area, otherUnits(units))}>
          {formatLand(area, units)}
        </span>
      )}
      {owner !== null && <span title={owner}>{owner}</span>}
    </>
  )
}
