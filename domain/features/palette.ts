import type { AssetType } from '#domain/assets/asset-types.ts'
import type { IncidentType, Severity } from '#domain/incidents/incident-types.ts'

// Section 9, 'Colours'. Names are the specification's; shades keep pins at 3:1 against every base map.

export const assetColors: Record<AssetType, string> = {
  water: '#1c7ed6',
  electrical: '#f5c211',
  road: '#4a4f55',
  residence: '#2f9e44',
  facility: '#8e44ad',
  recreation: '#f0780a',
  communication: '#4b3fb5',
}

export const incidentColors: Record<IncidentType, string> = {
  fire: '#d92d20',
  flood: '#1c7ed6',
  fallen_tree: '#1b5e2a',
  other: '#8e44ad',
}

/** Section 9, 'Incident radius circle by severity'. */
export const severityColors: Record<Severity | 'unknown', string> = {
  high: '#d92d20',
  medium: '#f0780a',
  low: '#f5c211',
  unknown: '#868e96',
}

export const parcelColors = { selected: '#1c7ed6', normal: '#868e96' } as const

export const untypedColor = '#868e96'

/** Section 9, 'Markers'. */
export const viewerColors = {
  point: '#1c7ed6',
  line: '#2f9e44',
  polygonIncident: '#d92d20',
  polygon: '#2f9e44',
} as const

/** Section 9, 'Drawing'. */
export const drawingColors = { normal: '#1c7ed6', error: '#d92d20' } as const
