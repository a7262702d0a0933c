import {
  defaultImportSettings,
  type FoundInFiles,
  type ImportSettings,
  importSettings,
} from '#domain/imports/import-draft.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'

// A recipe is the settings of an import. It is applied to the next files with the same columns.

export type Recipe = {
  settings: ImportSettings
  importedAt: number
  isEdition: boolean
}

type Draft = { mapId: string; settings: ImportSettings; found: FoundInFiles }

export async function saveRecipe(
  transaction: WriteTransaction,
  { mapId, importId, settings, found }: Draft & { importId: string },
  importedAt: number,
) {
  const { source } = settings
  const recipe = {
    ...settings,
    layer: null,
    leftOut: [],
    mended: {},
    keptFor: withoutPublishing(settings.keptFor),
  }
  const columns = {
    import_id: importId,
    columns: JSON.stringify(found.columns.map(({ name }) => name)),
    settings: JSON.stringify(recipe),
    imported_at: importedAt,
  }
  await transaction
    .insertInto('import_recipes')
    .values({ map_id: mapId, source, ...columns })
    .onConflict((conflict) => conflict.columns(['map_id', 'source']).doUpdateSet(columns))
    .execute()
}

/** The settings of an undone import may have been wrong. */
export async function deleteRecipe(transaction: WriteTransaction, mapId: string, importId: string) {
  await transaction
    .deleteFrom('import_recipes')
    .where(({ and }) => and({ map_id: mapId, import_id: importId }))
    .execute()
}

/** Columns are already public, and only managers may publish: the next import leaves them to staff. */
const withoutPublishing = (keptFor: ImportSettings['keptFor']): ImportSettings['keptFor'] =>
  Object.fromEntries(
    Object.entries(keptFor).map(([column, keeper]) => [column, keeper === 'everybody' ? 'staff' : keeper]),
  )

const mostlySame = 0.8

/**
 * The recipe of mostly the same columns: first of an edition of these files, then of the largest share, then the
 * newest.
 */
export async function findRecipe(
  read: ReadDatabase,
  { mapId, settings, found }: Draft,
): Promise<Recipe | undefined> {
  const rows = await read
    .selectFrom('import_recipes')
    .select(['source', 'columns', 'settings', 'imported_at'])
    .where('map_id', '=', mapId)
    .orderBy('imported_at', 'desc')
    .execute()
  const names = found.columns.map(({ name }) => name)
  const alike = rows
    .map((row) => ({
      ...row,
      share: shareOf(names, JSON.parse(row.columns)),
      isEdition: titleOf(row.source) === titleOf(settings.source),
    }))
    .filter(({ share }) => share >= mostlySame)
    .sort((one, other) => Number(other.isEdition) - Number(one.isEdition) || other.share - one.share)
  const [best] = alike
  if (!best) return undefined
  const recipe = importSettings.parse({ ...defaultImportSettings, ...JSON.parse(best.settings) })
  return { settings: recipe, importedAt: best.imported_at, isEdition: best.isEdition }
}

/** Names of editions differ in a year, a date or a number. */
const titleOf = (source: string) =>
  source
    .toLowerCase()
    .replace(/[\d\s_.()-]+/g, ' ')
    .trim()

function shareOf(names: readonly string[], others: readonly string[]): number {
  const all = new Set([...names, ...others])
  return all.size === 0 ? 0 : (names.length + others.length - all.size) / all.size
}
