import { type AssetType, assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import { ownValuesField } from '#domain/definition/custom-field.ts'
import { define } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds, kindLabels, recordOf } from '#domain/definition/kinds.ts'
import { descriptionField, nameField, operationalStatusField } from '#domain/definition/shared-fields.ts'
import { type IncidentType, incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'

const featureTypeLabels = {
  ...recordOf(featureKinds, (kind) => kindLabels[kind].one),
  ...assetTypeLabels,
} as const
export type GeneralFeatureType = keyof typeof featureTypeLabels

/** Section 3, 'Feature', and what the filters of section 9 ask for. */
export const generalFeatureDefinition = define({
  kind: 'feature',
  label: { one: 'Item', many: 'Items' },
  help: 'Features that are not incidents, assets or parcels, such as bridges or benches.',
  shapes: ['point', 'line', 'polygon'],
  fields: {
    name: { ...nameField, names: ['title', 'label'] },
    description: descriptionField,
    status: operationalStatusField,
    featureType: {
      label: 'Feature type',
      value: { type: 'choice', choices: featureTypeLabels },
      isRequired: true,
    },
    type: {
      label: 'Type',
      help: 'For incidents and assets. Matches the feature type if that is an asset type.',
      value: { type: 'choice', choices: { ...incidentTypeLabels, ...assetTypeLabels } },
      column: 'type',
      isSearched: true,
      names: ['incidenttype', 'assettype'],
      isShownIfKnown: true,
    },
    date: {
      label: 'Date',
      help: 'Used by the time range filter for incidents.',
      value: { type: 'instant' },
      column: 'date',
      names: ['datetime', 'incidentdate'],
      isShownIfKnown: true,
    },
    own: ownValuesField,
  },
})

type Typed = { featureType: GeneralFeatureType; type?: IncidentType | AssetType | null | undefined }

export function layerOfGeneralFeature({ featureType, type = null }: Typed): {
  kind: FeatureKind
  type: IncidentType | AssetType | null
} {
  return isAssetType(featureType) ? { kind: 'asset', type: featureType } : { kind: featureType, type }
}

export function typesOfFeatureType(featureType: GeneralFeatureType): readonly (IncidentType | AssetType)[] {
  switch (featureType) {
    case 'incident':
      return incidentTypes
    case 'asset':
      return assetTypes
    default:
      return isAssetType(featureType) ? [featureType] : []
  }
}

const isAssetType = (featureType: GeneralFeatureType): featureType is AssetType =>
  featureType in assetTypeLabels
