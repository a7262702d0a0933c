import { sql } from 'kysely'
import type { Extent, WriteTransaction } from '../../database/database.ts'
import { inRange, isSameAsThere, type StagedRange } from '../publishing/publish.queries.ts'

/** Longer shapes are not drawn in a trial: what is there of them is their place. */
const longestShape = 20_000

type ComparedRow = Extent & {
  row_number: number
  id: string
  name: string
  lng: number
  lat: number
  geometry: string | null
  is_there: number
  is_same: number
}

/** Staged rows beside the features that they would replace, in order. */
export async function readCompared(transaction: WriteTransaction, range: StagedRange) {
  const { rows } = await sql<ComparedRow>`
    select staged_features.row_number, staged_features.id, staged_features.name, staged_features.lng,
      staged_features.lat, staged_features.west, staged_features.south, staged_features.east,
      staged_features.north,
      case when length(staged_features.geometry) <= ${longestShape} then staged_features.geometry end as geometry,
      case when features.id is null then 0 else 1 end as is_there,
      case when ${isSameAsThere} then 1 else 0 end as is_same
    from staged_features
    left join features on features.map_id = staged_features.map_id and features.id = staged_features.id
    where ${inRange(range)}
    order by staged_features.row_number`.execute(transaction)
  return rows
}

/** All that some staged rows say. */
export function readStaged(transaction: WriteTransaction, range: StagedRange, rowNumbers: readonly number[]) {
  return transaction
    .selectFrom('staged_features')
    .selectAll()
    .where(sql<boolean>`${inRange(range)}`)
    .where('row_number', 'in', rowNumbers)
    .execute()
}
