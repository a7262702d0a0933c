import type { CustomField } from '#domain/definition/custom-field.ts'
import type { Asset, GeneralFeature, Incident, NewFeature, Parcel } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { recordActivity } from '#server/activity/activity.queries.ts'
import { insertClient, insertMap } from '#server/clients/store-clients.queries.ts'
import type { Database, Extent } from '#server/database/database.ts'
import { storeCustomFields } from '#server/features/custom-fields/custom-fields.queries.ts'
import { createListedEntries } from '#server/features/maintenance/maintenance-entries.queries.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'

export const home = { lng: -111.09, lat: 34.05 } as const
export const someInstant = Date.UTC(2026, 5, 1, 12)

type New<Kind extends NewFeature['kind']> = Extract<NewFeature, { kind: Kind }>
let made = 0
const nextId = (kind: string) => `${kind}-${++made}`

export const point = (lng: number = home.lng, lat: number = home.lat): Geometry => ({
  type: 'Point',
  coordinates: [lng, lat],
})

export const line = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates })

/** `west`, `south` and `side` are degrees. */
export function squareRing(west: number, south: number, side: number): Position[] {
  const [east, north] = [west + side, south + side]
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

export const square = (west: number, south: number, side: number): Geometry => ({
  type: 'Polygon',
  coordinates: [squareRing(west, south, side)],
})

export function anIncident(fields: Partial<Incident> = {}): New<'incident'> {
  return {
    kind: 'incident',
    id: nextId('incident'),
    mapId: 'oak-hills',
    geometry: point(),
    metadata: [],
    title: 'Smoke over the ridge',
    description: '',
    type: 'fire',
    severity: 'high',
    date: '2026-05-20T08:30:00.000Z',
    parcelId: null,
    reportedBy: 'Rosa Whitfield',
    resolved: false,
    resolvedDate: null,
    workState: null,
    assignee: null,
    due: null,
    ...fields,
  }
}

export function anAsset(fields: Partial<Asset> = {}): New<'asset'> {
  return {
    kind: 'asset',
    id: nextId('asset'),
    mapId: 'oak-hills',
    geometry: point(),
    metadata: [],
    name: 'Water tank',
    description: '',
    type: 'water',
    status: 'operational',
    parcelId: null,
    installDate: '2019-04-01',
    lastMaintenance: null,
    maintenanceHistory: [],
    ...fields,
  }
}

export function aParcel(fields: Partial<Parcel> = {}): New<'parcel'> {
  return {
    kind: 'parcel',
    id: nextId('parcel'),
    mapId: 'oak-hills',
    geometry: square(home.lng, home.lat, 0.002),
    metadata: [],
    name: 'Lot 1',
    description: '',
    owner: 'Harold Vasquez',
    area: 2.5,
    buildings: 1,
    purchaseDate: '2015-09-12',
    zoning: { type: 'Residential', restrictions: null },
    taxInfo: { annualAmount: 1234.5, lastPaid: '2026-01-31' },
    ...fields,
  }
}

export function aGeneralFeature(fields: Partial<GeneralFeature> = {}): New<'feature'> {
  return {
    kind: 'feature',
    id: nextId('feature'),
    mapId: 'oak-hills',
    geometry: point(),
    metadata: [],
    name: 'Feature',
    description: '',
    status: 'operational',
    featureType: 'asset',
    type: null,
    date: null,
    ...fields,
  }
}

type ClientFields = {
  name?: string
  location?: string
  thumbnail?: string | null
  archived?: boolean
  timeZone?: string
}

export async function storeClient(database: Database, id: string, client: ClientFields = {}) {
  const { name = 'Oak Hills', location = 'Payson, Arizona', thumbnail = null, archived = false } = client
  const { timeZone } = client
  const columns = {
    ...(archived && { archived_at: someInstant }),
    ...(timeZone && { time_zone: timeZone }),
  }
  await database.write(async (transaction) => {
    await insertClient(transaction, { id, name, location, thumbnail }, someInstant)
    if (Object.keys(columns).length > 0)
      await transaction.updateTable('clients').set(columns).where('map_id', '=', id).execute()
  })
}

export async function storeMap(database: Database, mapId: string) {
  await database.write((transaction) => insertMap(transaction, mapId, someInstant))
}

export async function storeFeatures(database: Database, features: readonly NewFeature[]) {
  const rows = features.map((feature) => toFeatureRow(feature, { now: someInstant }))
  await database.write(async (transaction) => {
    await insertFeatures(transaction, database.engine, rows)
    await createListedEntries(transaction, rows)
  })
  return rows
}

export async function storeChange(
  database: Database,
  mapId: string,
  features: readonly NewFeature[],
  extent: Extent | null = null,
) {
  const rows = features.map((feature) => toFeatureRow(feature, { now: Date.now() }))
  const subject = features.length === 1 ? (features[0]?.id ?? null) : null
  await database.write(async (transaction) => {
    await insertFeatures(transaction, database.engine, rows)
    await createListedEntries(transaction, rows)
    const activity = { mapId, action: 'features.imported', subject, extent } as const
    await recordActivity(transaction, activity, Date.now())
  })
}

/** Applies a configuration without validating it. */
export async function storeConfiguration(
  database: Database,
  mapId: string,
  version: number,
  configuration: Record<string, unknown>,
) {
  const row = {
    map_id: mapId,
    version,
    configuration: JSON.stringify(configuration),
    applied_at: someInstant,
    applied_by: null,
  }
  await database.write((transaction) => transaction.insertInto('map_configurations').values(row).execute())
}

export const anCustomField = (key: string, changed: Partial<CustomField> = {}): CustomField => ({
  key,
  label: key,
  type: 'line',
  choices: [],
  isRequired: false,
  visibleTo: 'everyone',
  help: null,
  ...changed,
})

type FieldsOfKinds = { [kind: string]: readonly CustomField[] }

/** Stores version 1 of the custom fields of a client. */
export async function storeFields(
  database: Database,
  mapId: string,
  fields: FieldsOfKinds,
  {
    removed = {},
    by = 'Ann',
    wordsAfter = null,
  }: { removed?: FieldsOfKinds; by?: string; wordsAfter?: string | null } = {},
) {
  const json = { fields: JSON.stringify(fields), removed: JSON.stringify(removed) }
  const row = { map_id: mapId, version: 1, ...json, words_after: wordsAfter, changed_at: 1, changed_by: by }
  await database.write((transaction) => storeCustomFields(transaction, row))
}
