import type { ImportSettings, Keeper } from '#domain/imports/import-draft.schema.ts'
import type { KeptColumns } from './map-columns.ts'

type KeptFor = ImportSettings['keptFor']

export const columnsFor = (keeper: Keeper, keptFor: KeptFor): string[] =>
  Object.entries(keptFor).flatMap(([column, one]) => (one === keeper ? [column] : []))

/** The next edition of a file need not have all that was said of this one. */
export const keptColumnsOf = (keptFor: KeptFor): KeptColumns => ({
  omit: columnsFor('nobody', keptFor),
  apart: [...columnsFor('staff', keptFor), ...columnsFor('everybody', keptFor)],
  isLenient: true,
})
