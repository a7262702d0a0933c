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

// All writing of features goes through here. What is derived from all features of a map together is kept up to date
// here, in the transaction of the change: ranks (domain/thinning/representatives.ts), counts and the map's extent.

type Engine = Database['engine']

/** Rows of one insert: 31 columns stay below PostgreSQL's 65,535 and SQLite's 32,766 parameters. */
export const rowsPerInsert = 500

/**
 * With more changes than one in so many features it is cheaper to rank the whole map anew than to adjust the ranks
 * around each.
 */
const featuresPerChange = 100

export async function isBetterAtOnce(transaction: WriteTransaction, mapId: string, changes: number) {
  return changes * featuresPerChange > (await countAllFeatures(transaction, mapId))
}

/**
 * Changes of place, size, type, kind or date of a map's features take turns: a rank depends on the ranks of the
 * others. Call it before any feature is held. SQLite has one writer at a time anyway.
 */
export async function lockRanks(transaction: WriteTransaction, engine: Engine, mapId: string) {
  if (engine !== 'postgres') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`features of ${mapId}`}, 0))`.execute(transaction)
}

/** Adds features to their maps. */
export async function insertFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  rows: readonly FeatureColumns[],
) {
  for (const [mapId, ofMap] of Map.groupBy(rows, (row) => row.map_id)) {
    await lockRanks(transaction, engine, mapId)
    if (!(await isBetterAtOnce(transaction, mapId, ofMap.length)))
      await new OneByOne(transaction, mapId).insert(ofMap)
    else {
      // Ranks that are known before cost nothing more than the insert.
      const ranking = new MapRanking()
      for (const row of ofMap) ranking.add(row, null)
      await readIntoRanking(transaction, mapId, ranking)
      ranking.rank()
      await writeRanks(transaction, mapId, ranking.changes())
      await insertRows(
        transaction,
        mapId,
        ofMap.map((row, index) => ({ ...row, ...ranking.ranksOf(index) })),
      )
    }
  }
}

/** Removes features of a map; ids that are not there are passed over. */
export async function removeFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  mapId: string,
  ids: readonly string[],
) {
  // Whoever waits for a turn that is not needed may hold features that the one before it waits for.
  if (ids.length === 0) return
  await writeFeatures(transaction, engine, { mapId, changes: ids.length }, (writer) => writer.remove(ids))
}

export type FeatureWriter = {
  insert(rows: readonly FeatureColumns[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** For changes that come in parts: `changes` is how many there will be in all. */
export async function writeFeatures(
  transaction: WriteTransaction,
  engine: Engine,
  { mapId, changes }: { mapId: string; changes: number },
  work: (writer: FeatureWriter) => Promise<void>,
) {
  await lockRanks(transaction, engine, mapId)
  const isAtOnce = await isBetterAtOnce(transaction, mapId, changes)
  const writer = new (isAtOnce ? AtOnce : OneByOne)(transaction, mapId)
  await work(writer)
  await writer.finish()
}

/** `former` is the row as this transaction reads it, `change` what becomes different in it. */
export type FeatureUpdate = { former: StoredFeature; change: Partial<FeatureColumns> }

/**
 * Changes features of a map, each of them once. `lockRanks` comes before it where place, size, type, kind or date may
 * change; a status alone moves nothing.
 */
export async function updateFeatures(
  transaction: WriteTransaction,
  mapId: string,
  updates: readonly FeatureUpdate[],
) {
  /** Thousands that get the same values are a few statements, not thousands. */
  const alike = new Map<string, { ids: string[]; change: FeatureUpdate['change'] }>()
  const pauses = new Pauses()
  for (const { former, change } of updates) {
    if (isMoved(former, change)) await moveFeature(transaction, mapId, former, change)
    else {
      const values = JSON.stringify(change)
      const group = alike.get(values)
      if (group) group.ids.push(former.id)
      else alike.set(values, { ids: [former.id], change })
    }
    await pauses.pause()
  }
  for (const { ids, change } of alike.values()) {
    await setColumns(transaction, mapId, ids, change)
    await pauses.pause()
  }
}

function isMoved(former: StoredFeature, change: FeatureUpdate['change']) {
  return storedColumns.some((column) => column in change && change[column] !== former[column])
}

async function moveFeature(
  transaction: WriteTransaction,
  mapId: string,
  known: StoredFeature,
  change: FeatureUpdate['change'],
) {
  const { id } = known
  // The ranks may have been moved by a change before this one.
  const [former = known] = await readStored(transaction, mapId, [id])
  const stored: Stored = { ...former, ...change }
  await closeRanksAfter(transaction, mapId, former)
  // Removed from the ranks before its new place is ranked.
  await setColumns(transaction, mapId, [id], hidden)
  await setColumns(transaction, mapId, [id], {
    ...change,
    ...(await makeRoomFor(transaction, mapId, stored)),
  })
  await countFeatures(transaction, mapId, [former], -1)
  await countFeatures(transaction, mapId, [stored], 1)
  await widenExtent(transaction, mapId, stored)
  await narrowExtent(transaction, mapId, former)
}

/** A row of the table, with the ranks that it has at that moment. */
export type StoredFeature = FeatureColumns & Ranks

/** Everything that is kept of the features of a map together, made anew from all of them. */
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

/** Adjusts the ranks around each feature. */
class OneByOne implements FeatureWriter {
  protected readonly transaction: WriteTransaction
  protected readonly mapId: string
  private readonly pauses = new Pauses()
  private gone: Extent | null = null

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
      this.gone = joinExtents([this.gone, ...stored])
    }
  }

  async finish() {
    if (this.gone) await narrowExtent(this.transaction, this.mapId, this.gone)
  }

  protected async take(stored: readonly Stored[]) {
    for (const feature of stored) {
      // As the change before left it.
      const [present = feature] = await readStored(this.transaction, this.mapId, [feature.id])
      await closeRanksAfter(this.transaction, this.mapId, present)
      await deleteRows(this.transaction, this.mapId, [feature.id])
      await this.pauses.pause()
    }
  }
}

/** Ranks the whole map when all is done. */
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
      .set(columns)
      .where('map_id', '=', mapId)
      .where('id', 'in', ids.slice(start, start + rowsPerInsert))
      .execute()
}

function readStored(transaction: WriteTransaction, mapId: string, ids: readonly string[]): Promise<Stored[]> {
  return transaction
    .selectFrom('features')
    .select([...storedColumns, 'min_zoom', 'type_min_zoom'])
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
}
