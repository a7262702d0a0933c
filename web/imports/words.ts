import type { ImportDraft, ImportDraftState, Keeper } from '#domain/imports/import-draft.schema.ts'

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

export const keeperLabels: Record<Keeper, string> = {
  staff: 'Kept as it is, for staff',
  everybody: 'Kept as it is, for everybody',
  nobody: 'Left out',
}

export const problemsLeftOut = `${keeperLabels.nobody} by itself`

/** The name of the first file, or of the shapes of a Shapefile. */
export function nameOf({ files }: Pick<ImportDraft, 'files'>): string {
  const main = files.find(({ name }) => /\.shp$/i.test(name)) ?? files[0]
  return files.length > 1 ? `${main?.name} and ${files.length - 1} more` : (main?.name ?? 'Files')
}
