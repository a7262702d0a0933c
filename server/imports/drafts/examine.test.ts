import { expect, it } from 'vitest'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { defaultImportSettings, type FoundInFiles } from '#domain/imports/import-draft.schema.ts'
import { fitFound } from './examine.ts'
import { matchColumns } from './import-drafts.routes.ts'

const layer = (label: string) => ({
  id: label,
  label,
  rows: 1,
  geometry: null,
  projection: null,
  needsProjection: false,
  notices: [],
})
const found = (columns: FoundInFiles['columns'], layers = [layer('lots')]): FoundInFiles => ({
  layers,
  layer: 'lots',
  columns,
  layout: null,
  extent: null,
  suggested: [],
  isSwapSuggested: false,
  recipe: null,
})

it('shows the column of the shape as such if it also fills another field', () => {
  const columns = { name: 'Where', wkt: 'Where' }
  const settings = { ...defaultImportSettings, source: 'lots', kind: 'asset' as const, columns }
  const draft = { settings, found: found([{ name: 'Where', examples: [], values: null }]), outcome: null }
  expect(matchColumns(draft, noCustomFields).matches).toEqual({ Where: 'wkt' })
})

it('leaves out the values of the last columns when they exceed a megabyte', () => {
  const values = Array.from({ length: 40 }, (_, number) => `${number}`.padEnd(79))
  const columns = Array.from({ length: 2_000 }, (_, number) => ({
    name: `c${number}`,
    examples: ['1'],
    values,
  }))
  const fitted = fitFound(found(columns))
  expect(JSON.stringify(fitted).length).toBeLessThan(2 ** 20)
  expect(fitted.columns[0]).toEqual({ name: 'c0', examples: ['1'], values })
  expect(fitted.columns[1_999]).toEqual({ name: 'c1999', examples: [], values: null })
  const few = found([{ name: 'a', examples: ['1'], values: ['1'] }])
  expect(fitFound(few)).toEqual(few)
})

it('refuses layers whose names alone exceed a megabyte', () => {
  const layers = Array.from({ length: 20_000 }, (_, number) => layer(`layer ${number}`))
  expect(() => fitFound(found([], layers))).toThrow('The file has too many layers (20,000)')
})
