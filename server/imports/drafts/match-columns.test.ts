import { expect, it } from 'vitest'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { detectedLayout } from '#domain/imports/import-layout.schema.ts'
import { matchColumns } from './match-columns.ts'

it('shows the column of the shape as such if it fills another field, too', () => {
  const settings = {
    kind: 'asset',
    type: null,
    columns: { name: 'Where', wkt: 'Where' },
    keptFor: {},
    values: {},
  }
  const found = {
    columns: [{ name: 'Where', examples: [], values: null }],
    layers: [],
    layer: null,
    layout: null,
  }
  const draft = { settings: { ...settings, layout: detectedLayout }, found, outcome: null }
  const { matches } = matchColumns(draft as unknown as Parameters<typeof matchColumns>[0], noOwnFields)
  expect(matches).toEqual({ Where: 'wkt' })
})
