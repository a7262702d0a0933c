import { defaultClientLocation } from '#domain/clients/reserved-maps.ts'
import { type FeatureKind, type FeatureShape, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { partsOfBox } from '#domain/geometry/box.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import {
  type BaseMap,
  mainViewBaseMaps,
  selectionZoom,
  viewerBaseMaps,
  viewerZoom,
} from '#domain/map-configuration/map-constants.ts'
import type { Camera } from '#web/workspace/map-camera.ts'
import { type OpeningState, openingCamera } from '#web/workspace/opening-camera.ts'

export type GroupKey = FeatureKind | FeatureShape

export type Group = {
  key: GroupKey
  label: string
  /** Prescribed by section 8 of the specification. */
  emptyText: string
}

export type MapVariant = {
  styleName: 'types' | 'shapes'
  groups: readonly [Group, ...Group[]]
  groupOf(feature: FeaturePreview): GroupKey
  hasFiltersTab: boolean
  selectionZoom: number
  baseMapsOf(configuration: MapConfigurationAnswer | undefined): {
    offered: readonly BaseMap[]
    preferred: BaseMap
  }
  openingCameraOf(state: OpeningState): Camera
}

function groupOfKind(key: FeatureKind): Group {
  const { many } = kindLabels[key]
  const isFiltered = Object.keys(kindTraits[key].types).length > 0
  return {
    key,
    label: many,
    emptyText: `No ${many.toLowerCase()} found${isFiltered ? ' with the current filters' : ''}.`,
  }
}

const [firstKind, ...otherKinds] = featureKinds

export const mainView: MapVariant = {
  styleName: 'types',
  groups: [groupOfKind(firstKind), ...otherKinds.map(groupOfKind)],
  groupOf: ({ kind }) => kind,
  hasFiltersTab: false,
  selectionZoom,
  baseMapsOf: (configuration) =>
    configuration?.isApplied
      ? {
          offered: configuration.configuration.mapTypes,
          preferred: configuration.configuration.defaultMapType,
        }
      : { offered: mainViewBaseMaps, preferred: 'street' },
  openingCameraOf: openingCamera,
}

export const viewer: MapVariant = {
  styleName: 'shapes',
  groups: [
    {
      key: 'point',
      label: 'Points',
      emptyText: 'No points found with the current filters.',
    },
    { key: 'line', label: 'Lines', emptyText: 'No lines found with the current filters.' },
    {
      key: 'polygon',
      label: 'Polygons',
      emptyText: 'No polygons found with the current filters.',
    },
  ],
  groupOf: ({ shape }) => shape,
  hasFiltersTab: true,
  selectionZoom: viewerZoom,
  baseMapsOf(configuration) {
    if (!configuration?.isApplied) return { offered: viewerBaseMaps, preferred: 'street' }
    const { mapTypes, defaultMapType } = configuration.configuration
    const common = viewerBaseMaps.filter((baseMap) => mapTypes.includes(baseMap))
    const offered = common.length > 0 ? common : viewerBaseMaps
    return {
      offered,
      preferred: offered.find((baseMap) => baseMap === defaultMapType) ?? offered[0] ?? 'street',
    }
  },
  openingCameraOf(state) {
    const { fromAddress, selection, configuration, summary } = state
    if (!fromAddress && selection) return { ...selection, zoom: viewerZoom }
    if (fromAddress || configuration?.isApplied) return openingCamera(state)
    const place = isNearFixedPlace(summary?.extent ?? null) ? undefined : summary?.firstParcel
    return { ...(place ?? defaultClientLocation), zoom: viewerZoom }
  },
}

/** Degrees around the fixed location of section 9 of the specification. */
const nearbyDegrees = 0.5

function isNearFixedPlace(extent: { north: number; east: number; south: number; west: number } | null) {
  if (!extent) return true
  const { lat, lng } = defaultClientLocation
  const isBetween = (value: number, low: number, high: number) =>
    value > low - nearbyDegrees && value < high + nearbyDegrees
  return partsOfBox(extent).some(
    (part) => isBetween(lat, part.south, part.north) && isBetween(lng, part.west, part.east),
  )
}
