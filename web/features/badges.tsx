import { IconCircleCheck, IconCircleDot, IconCircleX, IconPencil, IconTool } from '@tabler/icons-react'
import { type FeatureStatus, statusLabels } from '#domain/definition/kinds.ts'
import { severityColors } from '#domain/features/palette.ts'
import { type Severity, severityLabels } from '#domain/incidents/incident-types.ts'
import classes from './badges.module.css'

const statusIcons = {
  operational: IconCircleCheck,
  maintenance: IconTool,
  offline: IconCircleX,
  unresolved: IconCircleDot,
  resolved: IconCircleCheck,
}

export function StatusIcon({ status }: { status: FeatureStatus }) {
  const Icon = statusIcons[status]
  return <Icon className={classes.status} data-status={status} size={14} aria-hidden="true" />
}

export function StatusBadge({ status }: { status: FeatureStatus }) {
  return (
    <span className={classes.badge}>
      <StatusIcon status={status} />
      {statusLabels[status]}
    </span>
  )
}

export const UnsavedBadge = () => (
  <span className={classes.badge} data-unsaved>
    <IconPencil size={14} aria-hidden="true" />
    Unsaved changes
  </span>
)

const severityBars = { high: 3, medium: 2, low: 1, unknown: 0 } as const

type SeverityBadgeProps = {
  severity: Severity | null
  /** Without a label: an unknown value needs the name of the property. */
  standsAlone?: boolean
}

export function SeverityBadge({ severity, standsAlone = false }: SeverityBadgeProps) {
  const level = severity ?? 'unknown'
  return (
    <span className={classes.badge}>
      <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={(bar - 1) * 5}
            y={12 - bar * 4}
            width="4"
            height={bar * 4}
            rx="1"
            fill={bar <= severityBars[level] ? severityColors[level] : 'currentColor'}
            opacity={bar <= severityBars[level] ? 1 : 0.25}
          />
        ))}
      </svg>
      {standsAlone && severity === null ? 'Severity unknown' : severityLabels[level]}
    </span>
  )
}
