import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { featureTypes } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { severityColors } from '#domain/features/palette.ts'
import { severityLabels, severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import { formatMetersAndFeet } from '#web/ui/measures.ts'
import classes from './legend.module.css'
import { LegendGroup } from './legend-frame.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

const iconPixels = 20

type LegendProps = {
  isVisible: Readonly<Record<string, boolean>>
  counts: Record<FeatureKind, number> | undefined
}

export function TypeLegend({ isVisible, counts }: LegendProps) {
  const shown = featureKinds.filter((kind) => isVisible[kind] && (counts?.[kind] ?? 0) > 0)
  if (shown.length === 0) return <p>No features on the map</p>
  return shown.map((kind) => <KindLegend key={kind} kind={kind} />)
}

function KindLegend({ kind }: { kind: FeatureKind }) {
  const { types, statuses, hasSeverity, pin } = kindTraits[kind]
  const shownTypes = featureTypes.filter((type) => type in types)
  const { one, many } = kindLabels[kind]
  return (
    <>
      <LegendGroup title={many}>
        {shownTypes.map((type) => (
          <li key={type}>
            <TypeIcon kind={kind} type={type} size={iconPixels} />
            {typeLabel(kind, type)}
          </li>
        ))}
        {statuses.includes('resolved') && (
          <li>
            <TypeIcon kind={kind} type={shownTypes[0] ?? null} isResolved size={iconPixels} />
            Resolved (hollow)
          </li>
        )}
        {pin === null && (
          <>
            <li>
              <TypeIcon kind={kind} type={null} size={iconPixels} />
              {one}
            </li>
            <li>
              <TypeIcon kind={kind} type={null} isSelected size={iconPixels} />
              Selected {one.toLowerCase()}
            </li>
          </>
        )}
      </LegendGroup>
      {hasSeverity && (
        <LegendGroup title="Severity (radius of the circle)">
          {(['high', 'medium', 'low', 'unknown'] as const).map((severity) => (
            <li key={severity}>
              <span
                className={classes.ring}
                style={{ '--ring': severityColors[severity] } as React.CSSProperties}
              />
              {severityLabels[severity]}, {formatMetersAndFeet(severityRadiusMeters[severity])}
            </li>
          ))}
        </LegendGroup>
      )}
    </>
  )
}
