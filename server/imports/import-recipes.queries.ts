import {
  defaultImportSettings,
  type FoundInFiles,
  type ImportSettings,
  importSettings,
} from '#domain/imports/import-draft.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'

// What people said of the files of an import is a recipe: it holds for the next edition of them, which has the same columns.

export type Recipe = {
  settings: ImportSettings
  importedAt: number
  /** Whether the files are a newer edition of those: their rows change what those have made. */
  isEdition: boolean
}

type Draft = { mapId: string; settings: ImportSettings; found: FoundInFiles }

/** Of the last import of this source. */
export async function saveRecipe(
  transaction: WriteTransaction,
  { mapId, importId, settings, found }: Draft & { importId: string },
  importedAt: number,
) {
  const { source } = settings
  const said = {
    ...settings,
    layer: null,
    leftOut: [],
    mended: {},
    keptFor: withoutPublishing(settings.keptFor),
  }
  const columns = {
    import_id: importId,
    columns: JSON.stringify(found.columns.map(({ name }) => name)),
    settings: JSON.stringify(said),
    imported_at: importedAt,
  }
  await transaction
    .insertInto('import_recipes')
    .values({ map_id: mapId, source, ...columns })
    .onConflict((conflict) => conflict.columns(['map_id', 'source']).doUpdateSet(columns))
    .execute()
}

/** What was said for an import that was taken back was wrong, perhaps. */
export async function forgetRecipe(transaction: WriteTransaction, mapId: string, importId: string) {
  await transaction
    .deleteFrom('import_recipes')
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .execute()
}

/** Published is published: who imports the next edition need not be a manager. */
const withoutPublishing = (keptFor: ImportSettings['keptFor']): ImportSettings['keptFor'] =>
  Object.fromEntries(
    Object.entries(keptFor).map(([column, keeper]) => [column, keeper === 'everybody' ? 'staff' : keeper]),
  )

/** Columns come and go from one edition to the next: so large a share of them all has to be common to both. */
const mostlySame = 0.8

/** Of files with the same columns, or mostly: of another edition of these files first, then the likest, then the last. */
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
  const said = importSettings.parse({ ...defaultImportSettings, ...JSON.parse(best.settings) })
  return { settings: said, importedAt: best.imported_at, isEdition: best.isEdition }
}

/** Editions of a file are called alike, but for a year, a date or a number. */
const titleOf = (source: string) =>
  source
    .toLowerCase()
    .replace(/[\d\s_.()-]+/g, ' ')
    .trim()

/** Of the columns of both that are in both. */
function shareOf(names: readonly string[], others: readonly string[]): number {
  const all = new Set([...names, ...others])
  return all.size === 0 ? 0 : (names.length + others.length - all.size) / all.size
}
