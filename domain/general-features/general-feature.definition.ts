import { type AssetType, assetTypeLabels } from '#domain/assets/asset-types.ts'
import { define } from '#domain/definition/definition.ts'
import { type FeatureKind, kindLabels } from '#domain/definition/kinds.ts'
import { descriptionField, nameField, operationalStatusField } from '#domain/definition/shared-fields.ts'

const featureTypeLabels = {
  incident: kindLabels.incident.one,
  asset: kindLabels.asset.one,
  parcel: kindLabels.parcel.one,
  ...assetTypeLabels,
} as const
export type GeneralFeatureType = keyof typeof featureTypeLabels

/** Section 3, 'Feature': known by its type and metadata alone. */
export const generalFeatureDefinition = define({
  kind: 'feature',
  label: { one: 'Item', many: 'Items' },
  fields: {
    name: nameField,
    description: descriptionField,
    status: operationalStatusField,
    featureType: {
      label: 'Feature type',
      value: { type: 'choice', choices: featureTypeLabels },
      isRequired: true,
    },
  },
})

/** The layer of the map that a general feature is on, and its type there. */
export function layerOfFeatureType(featureType: GeneralFeatureType): {
  kind: FeatureKind
  type: AssetType | null
} {
  if (featureType === 'incident' || featureType === 'asset' || featureType === 'parcel')
    return { kind: featureType, type: null }
  return { kind: 'asset', type: featureType }
}
