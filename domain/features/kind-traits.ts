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

// The capabilities of each kind on lists and maps. Its fields are in its definition. No schema library: the page's first
// chunk needs this.

/** Pixels at the first and at the second zoom; in between it grows. */
export type ZoomWidth = { from: readonly [zoom: number, pixels: number]; to: readonly [number, number] }

export type KindTraits = {
  /** Layer of the vector tiles, and collections of OGC API - Features. Other programs rely on these names. */
  collection: string
  /** Labels; empty for a kind without types. */
  types: Readonly<Record<string, string>>
  typeColors: Readonly<Record<string, string>>
  /** Without a type. */
  color: { normal: string; selected: string }
  /** Empty for a kind without a status. */
  statuses: readonly FeatureStatus[]
  /** A ring on the map shows the severity, and lists show its badge; null is 'unknown'. */
  hasSeverity: boolean
  /** Its maintenance is planned and becomes due. */
  isMaintained: boolean
  /** Filtered by the time range, and ranked by date. One without a date matches every time range. */
  isDated: boolean
  /** Null for land: an area without a pin. The foot of a teardrop is on the place. */
  pin: 'teardrop' | 'disc' | null
  /** Click target: any part near the pointer; points before lines before areas; or only the exact point. */
  hit: 'near' | 'by shape' | 'exact'
  /** Widths in pixels. */
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
    drawing: {
      fillOpacity: 0.08,
      outline: { from: [10, 0.75], to: [15, 1.5] },
      line: 2,
      hasLineCasing: false,
    },
  },
}

/** From the lowest to the topmost on the map. */
export const kindsBottomUp = featureKinds.toReversed()
export const pinnedKinds = featureKinds.filter((kind) => kindTraits[kind].pin !== null)
export const datedKinds = featureKinds.filter((kind) => kindTraits[kind].isDated)
export const severityKinds = featureKinds.filter((kind) => kindTraits[kind].hasSeverity)
