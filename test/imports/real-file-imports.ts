import { basename, extname } from 'node:path'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { chunksOfFile } from '#server/imports/formats/read-records.ts'
import { type ImportOptions, importFeatures } from '#server/imports/import-features.ts'
import type { ReportedRow } from '#server/imports/import-watch.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'

type RealFile = {
  file: string
  kind: FeatureKind
  columns?: Record<string, string>
  counts?: Record<string, number>
} & Partial<Pick<ImportOptions, 'type' | 'timeZone' | 'areaUnit'>>

const boston = {
  id: 'CASE_ENQUIRY_ID',
  title: 'CASE_TITLE',
  description: 'CLOSURE_REASON',
  date: 'OPEN_DT',
  resolved: 'CASE_STATUS',
  resolvedDate: 'CLOSED_DT',
}
const eastern = 'America/New_York'

/** As described in docs/importing.md, with the expected results. */
export const realFiles: RealFile[] = [
  {
    file: 'parcels/cambridge-parcels-fy2014-joined.geojson',
    kind: 'parcel',
    areaUnit: 'sqft',
    columns: {
      name: 'Location',
      area: 'LandArea',
      purchaseDate: 'SaleDate',
      'zoning.type': 'UseDescription',
    },
    counts: { created: 13_115, refused: 1, repaired: 38 },
  },
  {
    file: 'parcels/cambridge-cdd-zoningdistricts.geojson',
    kind: 'parcel',
    columns: { name: 'ZONE_TYPE', 'zoning.type': 'ZONE_TYPE' },
    counts: { created: 261 },
  },
  {
    file: 'parcels/cambridge-fema-floodplainparcels100year.geojson',
    kind: 'parcel',
    columns: { name: 'ML' },
    counts: { created: 157 },
  },
  {
    file: 'assets/cambridge-infra-hydrants.geojson',
    kind: 'asset',
    type: 'water',
    columns: { name: 'HYDRANT_ID', installDate: 'INSTALLDATE' },
    counts: { created: 1_959, refused: 1 },
  },
  {
    file: 'assets/cambridge-infra-utilityfacilities.geojson',
    kind: 'asset',
    type: 'electrical',
    columns: { name: 'SITE_NAME', description: 'ADDRESS' },
    counts: { created: 14 },
  },
  {
    file: 'assets/cambridge-infra-utilitypoles.geojson',
    kind: 'asset',
    type: 'electrical',
    counts: { created: 2_457 },
  },
  {
    file: 'assets/cambridge-publicsafety-emergencyshelters.geojson',
    kind: 'asset',
    type: 'facility',
    counts: { created: 15 },
  },
  {
    file: 'assets/cambridge-publicsafety-firestations.geojson',
    kind: 'asset',
    type: 'facility',
    columns: { name: 'SITE_NAME' },
    counts: { created: 8 },
  },
  {
    file: 'assets/cambridge-recreation-openspace.geojson',
    kind: 'asset',
    type: 'recreation',
    counts: { created: 276 },
  },
  {
    file: 'assets/cambridge-trans-centerlines.geojson',
    kind: 'asset',
    type: 'road',
    columns: { name: 'Label' },
    counts: { created: 2_643 },
  },
  {
    file: 'incidents/boston311-fire-hydrant.csv',
    kind: 'incident',
    type: 'other',
    timeZone: eastern,
    columns: boston,
    counts: { created: 255 },
  },
  {
    file: 'incidents/boston311-tree-emergencies.csv',
    kind: 'incident',
    type: 'fallen_tree',
    timeZone: eastern,
    columns: boston,
    counts: { created: 785 },
  },
  {
    file: 'incidents/boston311-watermain-break.csv',
    kind: 'incident',
    type: 'flood',
    timeZone: eastern,
    columns: boston,
    counts: { created: 86 },
  },
  {
    file: 'incidents/calfire-last-state.json',
    kind: 'incident',
    type: 'fire',
    columns: { date: 'Started', description: 'ConditionStatement', resolvedDate: 'Extinguished' },
    counts: { created: 687, refused: 1 },
  },
]

export async function importRealFile(
  database: TestDatabase,
  { file, columns = {}, counts, ...options }: RealFile,
  onRow?: (row: ReportedRow) => void,
) {
  const input = { name: basename(file), chunks: chunksOfFile(realDataFile(file)) }
  const source = basename(file, extname(file))
  const chosen = { mapId: 'real', client: { name: 'Real', location: '' }, source, ...options }
  return importFeatures(
    database,
    input,
    { ...chosen, columns: new Map(Object.entries(columns)) },
    onRow && { onRow },
  )
}

/** Timeout in ms: thousands of polygons on both engines take long. */
export const isSlow = 120_000
