import type { ImportDraft, ImportDraftState, Keeper } from '#domain/imports/import-draft.schema.ts'

/** How far an import is. */
export const stateWords: Record<ImportDraftState, string> = {
  receiving: 'Its files have not come whole',
  examining: 'Being looked at',
  refused: 'Cannot be imported',
  examined: 'Waits for what it is',
  trying: 'Being tried',
  tried: 'Tried, not imported yet',
  importing: 'Being imported',
  imported: 'Imported',
  undoing: 'Being taken back',
  undone: 'Taken back',
}

/** What becomes of a column that fills no field. */
export const keptWords: Record<Keeper, string> = {
  staff: 'Kept as it is, for staff',
  everybody: 'Kept as it is, for everybody',
  nobody: 'Left out',
}

/** What becomes of the column of a file of refused rows that says why. */
export const problemsLeftOut = `${keptWords.nobody} by itself`

/** What an import is called: as its files, of a Shapefile as its shapes. */
export function nameOf({ files }: Pick<ImportDraft, 'files'>): string {
  const main = files.find(({ name }) => /\.shp$/i.test(name)) ?? files[0]
  return files.length > 1 ? `${main?.name} and ${files.length - 1} more` : (main?.name ?? 'Files')
}
