import { DatabaseSync } from 'node:sqlite'
import { partsOfBox } from '#domain/geometry/box.ts'
import type { TrialPlaces, TrialRow, TrialRows } from '#domain/imports/import-trial.schema.ts'
import { type TrialOutcome, trialOutcomes } from '#domain/imports/trial-outcome.ts'
import type { Extent } from '../../database/database.ts'
import { levels, numberOf } from './trial-file.ts'

type Row = {
  row_number: number
  outcome: TrialOutcome
  reason: string | null
  line: number | null
  source_id: string | null
  feature_id: string | null
  name: string | null
  lng: number | null
  lat: number | null
  changes: string | null
  kept: string | null
  columns: string | null
}

type PlacedRow = TrialPlaces['features'][number]

export function withTrial<Result>(
  path: string,
  work: (connection: DatabaseSync) => Result,
): Result | undefined {
  let connection: DatabaseSync
  try {
    connection = new DatabaseSync(path, { readOnly: true })
  } catch {
    return undefined
  }
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

type Page = { outcome: TrialOutcome | 'repaired' | undefined; after: number; limit: number }

const maxPageCharacters = 2_000_000

export function readTrialRows(path: string, { outcome, after, limit }: Page): TrialRows | undefined {
  return withTrial(path, (connection) => {
    const condition =
      outcome === undefined
        ? 'true'
        : outcome === 'repaired'
          ? `reason is not null and outcome in ('created', 'updated', 'unchanged')`
          : 'outcome = :outcome'
    const found = connection
      .prepare(
        `select row_number, outcome, reason, line, source_id, feature_id, name, lng, lat, changes, kept, columns
        from rows where ${condition} and row_number > :after and outcome is not null
        order by row_number limit :limit`,
      )
      .iterate({
        after,
        limit: limit + 1,
        ...(condition.includes(':outcome') ? { outcome: outcome ?? null } : {}),
      })
    const items: TrialRow[] = []
    let room = maxPageCharacters
    for (const row of found as unknown as Iterable<Row>) {
      if (items.length === limit || room <= 0) return { items, next: items.at(-1)?.rowNumber ?? null }
      items.push(toTrialRow(row))
      room -= (row.columns?.length ?? 0) + (row.changes?.length ?? 0)
    }
    return { items, next: null }
  })
}

function toTrialRow(row: Row): TrialRow {
  const list = (json: string | null) => (json === null ? [] : JSON.parse(json))
  return {
    rowNumber: row.row_number,
    line: row.line,
    sourceId: row.source_id,
    outcome: row.outcome,
    reason: row.reason,
    featureId: row.feature_id,
    name: row.name,
    place: row.lng === null || row.lat === null ? null : { lat: row.lat, lng: row.lng },
    changes: list(row.changes),
    kept: list(row.kept),
    columns: list(row.columns),
  }
}

export function readTrialPlaces(
  path: string,
  box: Extent,
  { outcome, limit }: { outcome: TrialOutcome | undefined; limit: number },
): Pick<TrialPlaces, 'features' | 'isWhole'> | undefined {
  return withTrial(path, (connection) => {
    const statement = connection.prepare(
      `select rows.row_number, rows.outcome, rows.name, rows.geometry, rows.lng, rows.lat
      from places inner join rows on rows.row_number = places.row_number
      where places.level = :level and places.outcome >= :from and places.outcome <= :to
        and ((places.west <= :east and places.east >= :west) or (places.west <= :east2 and places.east >= :west2))
        and places.south <= :north and places.north >= :south
      limit :limit`,
    )
    const [{ west, south, east, north }, second] = partsOfBox(box) as [Extent, Extent?]
    const { west: west2, east: east2 } = second ?? { west, east }
    const [from, to] =
      outcome === undefined ? [0, trialOutcomes.length] : [numberOf(outcome), numberOf(outcome)]
    const features: PlacedRow[] = []
    for (let level = levels - 1; level >= 0; level--) {
      const room = limit - features.length
      const box = { west, south, east, north, west2, east2 }
      const rows = statement.all({ level, from, to, ...box, limit: room + 1 }) as PlaceRow[]
      features.push(...rows.slice(0, room).map(toPlacedRow))
      if (rows.length > room) return { features, isWhole: false }
    }
    return { features, isWhole: true }
  })
}

type PlaceRow = Pick<Row, 'row_number' | 'outcome' | 'name' | 'lng' | 'lat'> & { geometry: string | null }

function toPlacedRow({ row_number, outcome, name, geometry, lng, lat }: PlaceRow): PlacedRow {
  return {
    type: 'Feature',
    geometry: geometry === null ? { type: 'Point', coordinates: [lng ?? 0, lat ?? 0] } : JSON.parse(geometry),
    properties: { rowNumber: row_number, outcome, name },
  }
}
