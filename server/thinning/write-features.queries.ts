import { sql } from 'kysely'
import { MapRanking, type RankedFeature, type Ranks } from '#domain/thinning/rank-features.ts'
import { alwaysHidden } from '#domain/thinning/representatives.ts'
import type { Database, Extent, WriteTransaction } from '../database/database.ts'
import { Pauses } from '../database/pauses.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { joinExtents } from '../geometry/extents.ts'
import { countFeatures, recountFeatures } from './keep-counts.queries.ts'
import { measureExtent, narrowExtent, widenExtent } from './keep-extents.queries.ts'
import { closeRanksAfter, makeRoomFor } from './keep-ranks.queries.ts'
import { rankedColumns, readIntoRanking, writeRanks } from './rank-map.queries.ts'
import { countAllFeatures } from './read-totals.queries.ts'

// The only module that writes features, to keep ranks (domain/thinning/representatives.ts), counts and the
// map's extent up to date in the same transaction.

type Engine = Database['engine']

/** 31 columns each stay below the limits of 65,535 (PostgreSQL) and 32,766 (SQLite) parameters. */
export const rowsPerInsert = 500

/** With more than one change per this many features, ranking the whole map is cheaper. */
const featuresPerChange = 100

export async function shouldRankWholeMap(transaction: WriteTransaction, mapId: string, changes: number) {
  return changes * featuresPerChange > (await countAllFeatures(transaction, mapId))
}

/**
 * Serializes changes of place, size, type, kind or date on a map, because ranks depend on each other. Must
 * come before any feature is locked. SQLite has one writer anyway.
 */
export async function lockRanks(transaction: WriteTransaction, engine: Engine, mapId: string) {
  if (engine !== 'postgres') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`features of ${mapId}`}, 0))`.execute(transaction)
}

export async function insertFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  rows: readonly FeatureColumns[],
) {
  for (const [mapId, rowsOfMap] of Map.groupBy(rows, (row) => row.map_id)) {
    await lockRanks(transaction, engine, mapId)
    if (!(await shouldRankWholeMap(transaction, mapId, rowsOfMap.length)))
      await new OneByOne(transaction, mapId).insert(rowsOfMap)
    else {
      const ranking = new MapRanking()
      for (const row of rowsOfMap) ranking.add(row, null)
      await readIntoRanking(transaction, mapId, ranking)
      ranking.rank()
      await writeRanks(transaction, mapId, ranking.changes())
      await insertRows(
        transaction,
        mapId,
        rowsOfMap.map((row, index) => ({ ...row, ...ranking.ranksOf(index) })),
      )
    }
  }
}

export async function removeFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  mapId: string,
  ids: readonly string[],
) {
  // An unneeded lock could cause a deadlock with features that are locked already.
  if (ids.length === 0) return
  await writeFeatures(transaction, engine, { mapId, changes: ids.length }, (writer) => writer.remove(ids))
}

export type FeatureWriter = {
  insert(rows: readonly FeatureColumns[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

export async function writeFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  { mapId, changes }: { mapId: string; changes: number },
  work: (writer: FeatureWriter) => Promise<void>,
) {
  await lockRanks(transaction, engine, mapId)
  const isAtOnce = await shouldRankWholeMap(transaction, mapId, changes)
  const writer = new (isAtOnce ? AtOnce : OneByOne)(transaction, mapId)
  await work(writer)
  await writer.finish()
}

export type FeatureUpdate = { previous: StoredFeature; change: Partial<FeatureColumns> }

/** Each feature once. Changes of place, size, type, kind or date need `lockRanks`. */
export async function updateFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  mapId: string,
  updates: readonly FeatureUpdate[],
) {
  const alike = new Map<string, FeatureUpdate[]>()
  const pauses = new Pauses()
  for (const update of updates) {
    const { previous, change } = update
    if (isMoved(previous, change)) await moveFeature(transaction, mapId, previous, change)
    else {
      // To PostgreSQL, a statement costs more than a row.
      const key = JSON.stringify(engine === 'postgres' ? Object.keys(change).sort() : change)
      const group = alike.get(key)
      if (group) group.push(update)
      else alike.set(key, [update])
    }
    await pauses.pause()
  }
  for (const group of alike.values()) {
    const [{ change }] = group as [FeatureUpdate]
    if (engine === 'postgres') await setColumnsOfEach(transaction, mapId, group)
    else
      await setColumns(
        transaction,
        mapId,
        group.map(({ previous }) => previous.id),
        change,
      )
    await pauses.pause()
  }
}

function isMoved(previous: StoredFeature, change: FeatureUpdate['change']) {
  return storedColumns.some((column) => column in change && change[column] !== previous[column])
}

async function moveFeature(
  transaction: WriteTransaction,
  mapId: string,
  asRead: StoredFeature,
  change: FeatureUpdate['change'],
) {
  const { id } = asRead
  // An earlier change may have moved the ranks.
  const [previous = asRead] = await readStored(transaction, mapId, [id])
  const stored: Stored = { ...previous, ...change }
  await closeRanksAfter(transaction, mapId, previous)
  // Removed from the ranks before the new place is ranked.
  await setColumns(transaction, mapId, [id], hidden)
  await setColumns(transaction, mapId, [id], {
    ...change,
    ...(await makeRoomFor(transaction, mapId, stored)),
  })
  await countFeatures(transaction, mapId, [previous], -1)
  await countFeatures(transaction, mapId, [stored], 1)
  await widenExtent(transaction, mapId, stored)
  await narrowExtent(transaction, mapId, previous)
}

export type StoredFeature = FeatureColumns & Ranks

export async function thinAnew(transaction: WriteTransaction, mapId: string) {
  await rankAnew(transaction, mapId)
  await recountFeatures(transaction, mapId)
  await measureExtent(transaction, mapId)
}

async function rankAnew(transaction: WriteTransaction, mapId: string) {
  const ranking = new MapRanking()
  await readIntoRanking(transaction, mapId, ranking)
  ranking.rank()
  await writeRanks(transaction, mapId, ranking.changes())
}

const hidden: Ranks = { min_zoom: alwaysHidden, type_min_zoom: alwaysHidden }

const storedColumns = [...rankedColumns, 'west', 'south', 'east', 'north'] as const
type Stored = RankedFeature & Ranks & Extent

class OneByOne implements FeatureWriter {
  protected readonly transaction: WriteTransaction
  protected readonly mapId: string
  private readonly pauses = new Pauses()
  private removed: Extent | null = null

  constructor(transaction: WriteTransaction, mapId: string) {
    this.transaction = transaction
    this.mapId = mapId
  }

  async insert(rows: readonly FeatureColumns[]) {
    const { transaction, mapId } = this
    for (const row of rows) {
      await insertRows(transaction, mapId, [{ ...row, ...(await makeRoomFor(transaction, mapId, row)) }])
      await this.pauses.pause()
    }
  }

  async remove(ids: readonly string[]) {
    const { transaction, mapId } = this
    for (let start = 0; start < ids.length; start += rowsPerInsert) {
      const stored = await readStored(transaction, mapId, ids.slice(start, start + rowsPerInsert))
      await this.take(stored)
      await countFeatures(transaction, mapId, stored, -1)
      this.removed = joinExtents([this.removed, ...stored])
    }
  }

  async finish() {
    if (this.removed) await narrowExtent(this.transaction, this.mapId, this.removed)
  }

  protected async take(stored: readonly Stored[]) {
    for (const feature of stored) {
      const [current = feature] = await readStored(this.transaction, this.mapId, [feature.id])
      await closeRanksAfter(this.transaction, this.mapId, current)
      await deleteRows(this.transaction, this.mapId, [feature.id])
      await this.pauses.pause()
    }
  }
}

class AtOnce extends OneByOne {
  override async insert(rows: readonly FeatureColumns[]) {
    const unranked = rows.map((row) => ({ ...row, ...hidden }))
    await insertRows(this.transaction, this.mapId, unranked)
  }

  override async finish() {
    await super.finish()
    await rankAnew(this.transaction, this.mapId)
  }

  protected override async take(stored: readonly Stored[]) {
    const ids = stored.map(({ id }) => id)
    if (ids.length > 0) await deleteRows(this.transaction, this.mapId, ids)
  }
}

async function insertRows(
  transaction: WriteTransaction,
  mapId: string,
  rows: readonly (FeatureColumns & Ranks)[],
) {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const part = rows.slice(start, start + rowsPerInsert)
    await transaction.insertInto('features').values(part).execute()
  }
  await countFeatures(transaction, mapId, rows, 1)
  const extent = joinExtents(rows)
  if (extent) await widenExtent(transaction, mapId, extent)
}

async function deleteRows(transaction: WriteTransaction, mapId: string, ids: readonly string[]) {
  await transaction.deleteFrom('features').where('map_id', '=', mapId).where('id', 'in', ids).execute()
}

async function setColumns(
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
  columns: Partial<FeatureColumns & Ranks>,
) {
  for (let start = 0; start < ids.length; start += rowsPerInsert)
    await transaction
      .updateTable('features')
      // A shard cannot change the column that it is chosen by.
      .set({ ...columns, map_id: undefined })
      .where('map_id', '=', mapId)
      .where('id', 'in', ids.slice(start, start + rowsPerInsert))
      .execute()
}

/** PostgreSQL only. All change the same columns. */
async function setColumnsOfEach(
  transaction: WriteTransaction,
  mapId: string,
  updates: readonly FeatureUpdate[],
) {
  const columns = Object.keys(updates[0]?.change ?? {})
  if (columns.length === 0) return
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`))
  for (let start = 0; start < updates.length; start += rowsPerInsert) {
    const rows = updates
      .slice(start, start + rowsPerInsert)
      .map(({ previous: { id }, change }) => ({ ...change, id }))
    await sql`
      update features set ${set}
      from jsonb_populate_recordset(null::features, ${JSON.stringify(rows)}) as given
      where features.map_id = ${mapId} and features.id = given.id`.execute(transaction)
  }
}

function readStored(transaction: WriteTransaction, mapId: string, ids: readonly string[]): Promise<Stored[]> {
  return transaction
    .selectFrom('features')
    .select([...storedColumns, 'min_zoom', 'type_min_zoom'])
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
}
