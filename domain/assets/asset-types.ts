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

export const assetTypeLabels = {
  water: 'Water',
  electrical: 'Electrical',
  road: 'Road',
  residence: 'Residence',
  facility: 'Facility',
  recreation: 'Recreation',
  communication: 'Communication',
} as const satisfies Record<AssetType, string>
