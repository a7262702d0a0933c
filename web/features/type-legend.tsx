import { assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import { type FeatureKind, kindLabels } from '#domain/definition/kinds.ts'
import { severityColors } from '#domain/features/palette.ts'
import {
  incidentTypeLabels,
  incidentTypes,
  severityLabels,
  severityRadiusMeters,
} from '#domain/incidents/incident-types.ts'
import { formatDistance, inBothUnits } from '#web/ui/measures.ts'
import classes from './legend.module.css'
import { LegendGroup } from './legend-frame.tsx'
import { TypeIcon } from './type-icon.tsx'

const iconPixels = 20

type LegendProps = {
  isVisible: Readonly<Record<string, boolean>>
  counts: Record<FeatureKind, number> | undefined
}

/** Signs of what is on the map, kind by kind; kinds that are switched off or absent are left out. */
export function TypeLegend({ isVisible, counts }: LegendProps) {
  const isOnMap = (kind: FeatureKind) => isVisible[kind] && (counts?.[kind] ?? 0) > 0
  return (
    <>
      {isOnMap('incident') && (
        <>
          <LegendGroup title={kindLabels.incident.many}>
            {incidentTypes.map((type) => (
              <li key={type}>
                <TypeIcon kind="incident" type={type} size={iconPixels} />
                {incidentTypeLabels[type]}
              </li>
            ))}
            <li>
              <TypeIcon kind="incident" type="fire" isResolved size={iconPixels} />
              Resolved (hollow)
            </li>
          </LegendGroup>
          <LegendGroup title="Severity (radius of the circle)">
            {(['high', 'medium', 'low', 'unknown'] as const).map((severity) => (
              <li key={severity}>
                <span
                  className={classes.ring}
                  style={{ '--ring': severityColors[severity] } as React.CSSProperties}
                />
                {severityLabels[severity]}, {inBothUnits(formatDistance, severityRadiusMeters[severity])}
              </li>
            ))}
          </LegendGroup>
        </>
      )}
      {isOnMap('asset') && (
        <LegendGroup title={kindLabels.asset.many}>
          {assetTypes.map((type) => (
            <li key={type}>
              <TypeIcon kind="asset" type={type} size={iconPixels} />
              {assetTypeLabels[type]}
            </li>
          ))}
        </LegendGroup>
      )}
      {isOnMap('parcel') && (
        <LegendGroup title={kindLabels.parcel.many}>
          <li>
            <TypeIcon kind="parcel" type={null} size={iconPixels} />
            Parcel
          </li>
          <li>
            <TypeIcon kind="parcel" type={null} isSelected size={iconPixels} />
            Selected parcel
          </li>
        </LegendGroup>
      )}
      {!(['incident', 'asset', 'parcel'] as const).some(isOnMap) && <p>Nothing is on the map.</p>}
    </>
  )
}
