import { assetDefinition } from '#domain/assets/asset.definition.ts'
import type { Definition } from '#domain/definition/definition.ts'
import { generalFeatureDefinition } from '#domain/general-features/general-feature.definition.ts'
import { incidentDefinition } from '#domain/incidents/incident.definition.ts'
import { parcelDefinition } from '#domain/parcels/parcel.definition.ts'

export const definitions = {
  incident: incidentDefinition,
  asset: assetDefinition,
  parcel: parcelDefinition,
  feature: generalFeatureDefinition,
} as const satisfies Record<string, Definition>
export type DefinedKind = keyof typeof definitions
export const definedKinds = Object.keys(definitions) as DefinedKind[]

type KindWith<Field extends string> = {
  [Kind in DefinedKind]: Field extends keyof (typeof definitions)[Kind]['fields'] ? Kind : never
}[DefinedKind]

export const hasField = <Feature extends { kind: DefinedKind }, Name extends string>(
  feature: Feature,
  field: Name,
): feature is Extract<Feature, { kind: KindWith<Name> }> => field in definitions[feature.kind].fields

export const nameFieldOf = (kind: DefinedKind) => ('title' in definitions[kind].fields ? 'title' : 'name')

export const featureName = (feature: { title: string } | { name: string }) =>
  'title' in feature ? feature.title : feature.name
