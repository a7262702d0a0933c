import { type AssetType, assetTypes } from '#domain/assets/asset-types.ts'
import { define } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { descriptionField, nameField, operationalStatusField } from '#domain/definition/shared-fields.ts'

const featureTypeNames = [...featureKinds, ...assetTypes] as const
type FeatureTypeName = (typeof featureTypeNames)[number]
/** Shown as they are in the specification. */
const featureTypes = Object.fromEntries(featureTypeNames.map((name) => [name, name])) as Record<
  FeatureTypeName,
  string
>

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
      value: { type: 'choice', choices: featureTypes },
      isRequired: true,
    },
  },
})

/** The layer of the map that a general feature is on, and its type there. */
export function layerOfFeatureType(featureType: FeatureTypeName): {
  kind: FeatureKind
  type: AssetType | null
} {
  if (featureType === 'incident' || featureType === 'asset' || featureType === 'parcel')
    return { kind: featureType, type: null }
  return { kind: 'asset', type: featureType }
}
