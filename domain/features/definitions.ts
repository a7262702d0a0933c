import { assetDefinition } from '#domain/assets/asset.definition.ts'
import type { Definition } from '#domain/definition/definition.ts'
import { generalFeatureDefinition } from '#domain/general-features/general-feature.definition.ts'
import { incidentDefinition } from '#domain/incidents/incident.definition.ts'
import { parcelDefinition } from '#domain/parcels/parcel.definition.ts'

/** The definition of each kind. */
export const definitions = {
  incident: incidentDefinition,
  asset: assetDefinition,
  parcel: parcelDefinition,
  feature: generalFeatureDefinition,
} as const satisfies Record<string, Definition>
export type DefinedKind = keyof typeof definitions
