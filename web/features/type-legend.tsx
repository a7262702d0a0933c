import { assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { severityColors } from '#domain/features/palette.ts'
import {
  incidentTypeLabels,
  incidentTypes,
  severityLabels,
  severityRadiusMeters,
} from '#domain/incidents/incident-types.ts'
import classes from './legend.module.css'
import { LegendFrame } from './legend-frame.tsx'
import { TypeIcon } from './type-icon.tsx'

type LegendProps = {
  isVisible: Readonly<Record<string, boolean>>
  counts: Record<FeatureKind, number> | undefined
}

/** Signs of what is on the map, kind by kind; kinds that are switched off or absent are left out. */
export function TypeLegend({ isVisible, counts }: LegendProps) {
  const isOnMap = (kind: FeatureKind) => isVisible[kind] && (counts?.[kind] ?? 0) > 0
  return (
    <LegendFrame>
      {isOnMap('incident') && (
        <>
          <ul aria-label="Incidents">
            {incidentTypes.map((type) => (
              <li key={type}>
                <TypeIcon kind="incident" type={type} size={18} />
                {incidentTypeLabels[type]}
              </li>
            ))}
            <li>
              <TypeIcon kind="incident" type="fire" isResolved size={18} />
              Resolved (hollow)
            </li>
          </ul>
          <ul aria-label="Severity">
            {(['high', 'medium', 'low', 'unknown'] as const).map((severity) => (
              <li key={severity}>
                <span
                  className={classes.ring}
                  style={{ '--ring': severityColors[severity] } as React.CSSProperties}
                />
                {severityLabels[severity]}, {severityRadiusMeters[severity]} m
              </li>
            ))}
          </ul>
        </>
      )}
      {isOnMap('asset') && (
        <ul aria-label="Assets">
          {assetTypes.map((type) => (
            <li key={type}>
              <TypeIcon kind="asset" type={type} size={18} />
              {assetTypeLabels[type]}
            </li>
          ))}
        </ul>
      )}
      {isOnMap('parcel') && (
        <ul aria-label="Parcels">
          <li>
            <span className={classes.parcel} />
            Parcel
          </li>
          <li>
            <span className={classes.parcel} data-selected />
            Selected parcel
          </li>
        </ul>
      )}
      {!(['incident', 'asset', 'parcel'] as const).some(isOnMap) && <p>Nothing is on the map.</p>}
    </LegendFrame>
  )
}
