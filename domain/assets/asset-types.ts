/** Section 3 of the specification. */
export const assetTypes = [
  'water',
  'electrical',
  'road',
  'residence',
  'facility',
  'recreation',
  'communication',
] as const
export type AssetType = (typeof assetTypes)[number]

export const assetTypeLabels: Record<AssetType, string> = {
  water: 'Water',
  electrical: 'Electrical',
  road: 'Road',
  residence: 'Residence',
  facility: 'Facility',
  recreation: 'Recreation',
  communication: 'Communication',
}

/** Section 3: how many maintenance entries the detail panel shows. */
export const shownMaintenanceEntries = 3
