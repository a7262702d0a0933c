import { assetTypeLabels } from '#domain/assets/asset-types.ts'
import {
  type FeatureKind,
  type FeatureStatus,
  featureKinds,
  incidentStatuses,
  operationalStatuses,
} from '#domain/definition/kinds.ts'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { assetColors, incidentColors, parcelColors, untypedColor } from './palette.ts'

// Capabilities of each kind on lists and maps. No schema library: the first chunk of the page needs this.

/** Pixels at two zooms, interpolated in between. */
export type ZoomWidth = { from: readonly [zoom: number, pixels: number]; to: readonly [number, number] }

export type KindTraits = {
  /** Tile layer and OGC API - Features collection. Other programs rely on these names. */
  collection: string
  types: Readonly<Record<string, string>>
  typeColors: Readonly<Record<string, string>>
  color: { normal: string; selected: string }
  statuses: readonly FeatureStatus[]
  hasSeverity: boolean
  isMaintained: boolean
  /** Filtered by time range and ranked by date. Undated features match every time range. */
  isDated: boolean
  /** Null for land. The foot of a teardrop is at the place. */
  pin: 'teardrop' | 'disc' | null
  /** `near` selects parts near the pointer, `exact` only features under it, `by shape` prefers points to lines to areas. */
  hit: 'near' | 'by shape' | 'exact'
  /** Ids of the table's columns beside the name, for a list of this kind alone. */
  tableColumns: readonly string[]
  /** Pixels. */
  drawing: {
    fillOpacity: number
    outline: number | ZoomWidth
    line: number | ZoomWidth
    hasLineCasing: boolean
  }
}

export const kindTraits: Readonly<Record<FeatureKind, KindTraits>> = {
  incident: {
    collection: 'incidents',
    types: incidentTypeLabels,
    typeColors: incidentColors,
    color: { normal: untypedColor, selected: untypedColor },
    statuses: incidentStatuses,
    hasSeverity: true,
    isMaintained: false,
    isDated: true,
    pin: 'teardrop',
    hit: 'near',
    tableColumns: ['status', 'severity', 'type', 'date', 'parcel'],
    drawing: { fillOpacity: 0.25, outline: 3, line: 3, hasLineCasing: false },
  },
  asset: {
    collection: 'assets',
    types: assetTypeLabels,
    typeColors: assetColors,
    color: { normal: untypedColor, selected: untypedColor },
    statuses: operationalStatuses,
    hasSeverity: false,
    isMaintained: true,
    isDated: false,
    pin: 'disc',
    hit: 'by shape',
    tableColumns: ['status', 'type', 'nextDue', 'parcel'],
    drawing: {
      fillOpacity: 0.22,
      outline: 1.5,
      line: { from: [10, 1.5], to: [13, 3] },
      hasLineCasing: true,
    },
  },
  parcel: {
    collection: 'parcels',
    types: {},
    typeColors: {},
    color: parcelColors,
    statuses: [],
    hasSeverity: false,
    isMaintained: false,
    isDated: false,
    pin: null,
    hit: 'exact',
    tableColumns: ['owner', 'area', 'zoning.type'],
    drawing: {
      fillOpacity: 0.08,
      outline: { from: [10, 0.75], to: [15, 1.5] },
      line: 2,
      hasLineCasing: false,
    },
  },
}

/** In drawing order. */
export const kindsBottomUp = featureKinds.toReversed()
export const pinnedKinds = featureKinds.filter((kind) => kindTraits[kind].pin !== null)
export const datedKinds = featureKinds.filter((kind) => kindTraits[kind].isDated)
export const severityKinds = featureKinds.filter((kind) => kindTraits[kind].hasSeverity)
