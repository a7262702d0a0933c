import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { featureTypes } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { severityColors } from '#domain/features/palette.ts'
import { severityLabels, severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import { type InView, useInView } from '#web/map/in-view.ts'
import { formatMetersAndFeet } from '#web/ui/measures.ts'
import classes from './legend.module.css'
import { BareDots, LegendGroup, NothingInView } from './legend-frame.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

const severities = ['high', 'medium', 'low', 'unknown'] as const

const iconPixels = 20

/** Lists features in view only. */
export function TypeLegend() {
  const inView = useInView()
  if (inView === null) return null
  const { symbols, hasBareDots } = inView
  if (symbols.length === 0) return <NothingInView />
  return (
    <>
      {featureKinds.map((kind) => {
        const features = symbols.filter((feature) => feature.kind === kind)
        return features.length > 0 && <KindLegend key={kind} kind={kind} features={features} />
      })}
      {hasBareDots && <BareDots />}
    </>
  )
}

function KindLegend({ kind, features }: { kind: FeatureKind; features: readonly InView[] }) {
  const { hasSeverity, pin } = kindTraits[kind]
  const shownTypes = featureTypes.filter((type) => features.some((feature) => feature.type === type))
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
        {features.some(({ isResolved }) => isResolved) && (
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
            <li data-print-hidden>
              <TypeIcon kind={kind} type={null} isSelected size={iconPixels} />
              Selected {one.toLowerCase()}
            </li>
          </>
        )}
      </LegendGroup>
      {hasSeverity && (
        <LegendGroup title="Severity (circle radius)">
          {severities
            .filter((severity) => features.some((feature) => feature.severity === severity))
            .map((severity) => (
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
