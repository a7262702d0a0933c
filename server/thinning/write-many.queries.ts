import { type RawBuilder, sql } from 'kysely'
import { MapRanking, type RankedFeature, type Ranks } from '#domain/thinning/rank-features.ts'
import type { EngineDialect, Extent, WriteTransaction } from '../database/database.ts'
import { CountSums, countRows } from './keep-counts.queries.ts'
import { narrowExtent, widenExtent } from './keep-extents.queries.ts'
import { rankedColumns, readIntoRanking, writeRanks } from './rank-map.queries.ts'
import { TableOrder } from './table-order.ts'

export const arrivingColumns = [...rankedColumns, 'size_zoom'] as const
type Arriving = RankedFeature & { row_number: number; size_zoom: number }

const noRank = 255

/**
 * Adds very many features from another table inside the database, without reading them. Ranks the whole map
 * before copying. Call `add` for all, then `rank`, insert with the ranks, then `finish`.
 */
export class ManyArrivals {
  private readonly transaction: WriteTransaction
  private readonly mapId: string
  private readonly ranking = new MapRanking()
  private readonly counts = new CountSums()
  private readonly order: TableOrder
  private readonly numbers: Uint32Array

  constructor(transaction: WriteTransaction, mapId: string, lastRow: number) {
    this.transaction = transaction
    this.mapId = mapId
    this.order = new TableOrder(lastRow + 1)
    this.numbers = new Uint32Array(lastRow + 1)
  }

  add(rows: readonly Arriving[]) {
    this.counts.add(rows, 1)
    for (const row of rows) {
      this.numbers[row.row_number] = this.ranking.add(row, null)
      this.order.add(row.row_number, row)
    }
  }

  /**
   * Ranks the rows among the features that stay. Replaced features are given by id, and by a query for kind,
   * shape, type and date. Returns the rows in the order of the table.
   */
  async rank(replaced: { ids: ReadonlySet<string>; rows: RawBuilder<unknown> } | null): Promise<Uint32Array> {
    const { transaction, mapId, ranking } = this
    await readIntoRanking(transaction, mapId, ranking, (id) => replaced?.ids.has(id) ?? false)
    ranking.rank()
    await writeRanks(transaction, mapId, ranking.changes())
    if (replaced) await countRows(transaction, mapId, replaced.rows, -1)
    await this.counts.store(transaction, mapId)
    return this.order.sorted()
  }

  ranksOf(rows: Uint32Array, dialect: EngineDialect): RawBuilder<unknown> {
    const packed = Array.from(rows, (row) =>
      packRanks(row, this.ranking.ranksOf(this.numbers[row] as number)),
    )
    return sql`ranks (row_number, min_zoom, type_min_zoom) as (
      select value >> 16, (value >> 8) & 255, nullif(value & 255, ${sql.lit(noRank)}) from ${dialect.unnest(packed)} as listed
    )`
  }

  readonly rankColumns = sql`min_zoom, type_min_zoom`
  readonly rankValues = sql`ranks.min_zoom, ranks.type_min_zoom`

  async finish({ added, replaced }: { added: Extent | null; replaced: Extent | null }) {
    if (added) await widenExtent(this.transaction, this.mapId, added)
    if (replaced) await narrowExtent(this.transaction, this.mapId, replaced)
  }
}

function packRanks(row: number, { min_zoom, type_min_zoom }: Ranks): number {
  return (row * 256 + min_zoom) * 256 + (type_min_zoom ?? noRank)
}
