import { featureKinds } from '#domain/definition/kinds.ts'
import { hasField } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { EngineDialect, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { hasParcels, parcelFinder } from '../../features/changes/parcel-at.queries.ts'
import { toFeatureRow, toNewFeature } from '../../features/rows/feature-row.ts'
import type { PublishContext, RowRule, StagedRow } from './row-rule.ts'
import { mayBeOnParcel } from './staged-rows.queries.ts'

const placed = featureKinds.filter((kind) => hasField({ kind }, 'parcelId'))

type FindOptions = { dialect: EngineDialect; hasColumn: boolean }

/**
 * Gives incidents and assets without a parcel the one at their place, like a feature that a person adds. One that stays
 * at its place keeps its parcel, or none. Must follow the rules that set the place; null on a map without parcels.
 */
export async function findParcels(
  transaction: WriteTransaction,
  mapId: string,
  { dialect, hasColumn }: FindOptions,
  context: PublishContext,
): Promise<RowRule | null> {
  if (!(await hasParcels(transaction, mapId))) return null
  const keepsParcel = ({ staged, current }: StagedRow) =>
    current?.lng === staged.lng && current.lat === staged.lat && (!hasColumn || parcelIdIn(current) === null)
  return {
    appliesTo: mayBeOnParcel(dialect, mapId, placed),
    async load(rows) {
      const found = new Map<number, string>()
      // One for each page, as it limits the work for all its places together.
      const parcels = parcelFinder({ dialect }, transaction, mapId)
      const open = rows.filter((row) => lacksParcel(row) && !keepsParcel(row))
      await parcels.prepare(open.map(({ staged }) => staged))
      for (const { rowNumber, staged } of open) {
        const parcel = await parcels.find(staged)
        if (parcel !== null && parcel !== 'not examined') found.set(rowNumber, parcel.id)
      }
      return (row) => {
        const { rowNumber, staged, current } = row
        if (!lacksParcel(row)) return staged
        const parcelId = current && keepsParcel(row) ? parcelIdIn(current) : found.get(rowNumber)
        if (parcelId == null) return staged
        return toFeatureRow({ ...toNewFeature(staged), parcelId } as NewFeature, context)
      }
    },
  }
}

const parcelIdIn = ({ fields }: FeatureColumns): string | null =>
  (JSON.parse(fields) as { parcelId?: string | null }).parcelId ?? null

const lacksParcel = ({ staged }: StagedRow) =>
  placed.includes(staged.kind) && staged.is_general === 0 && parcelIdIn(staged) === null
