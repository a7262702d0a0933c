import { singleFields } from '#domain/definition/definition.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import { addressFieldOf, columnsOfLayout } from '../layout/decide-layout.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping, storedColumnsOf } from '../mapping/map-columns.ts'
import { isBlank } from '../mapping/read-values.ts'

type Draft = Pick<ImportDraft, 'settings' | 'found' | 'outcome'>
type Matched = Pick<ImportDraft, 'matches' | 'words'>

export function matchColumns(draft: Draft, ownFields: OwnFields): Matched {
  const { settings, found } = draft
  const { kind } = settings
  if (kind === null || !found) return { matches: {}, words: [] }
  const fields = fieldsOfKind(kind, ownFields)
  const names = found.columns.map(({ name }) => name)
  const { columns, made } = columnsOfLayout(found.layout, names, {
    overrides: settings.layout,
    columns: new Map(Object.entries(settings.columns)),
    fields,
    addressField: addressFieldOf(kind),
  })
  const mapping = new ColumnMapping(fields, columns, storedColumnsOf(settings.keptFor))
  const properties = [...names, ...made.map(({ name }) => name)].map((name) => [name, null] as const)
  // In a layer with shapes, no column is used for places.
  const hasPlaces = found.layers.find(({ id }) => id === found.layer)?.geometry !== null
  const ignored = [
    ...(hasPlaces ? ['latitude', 'longitude'] : []),
    ...(settings.type === null ? [] : ['type']),
  ]
  const filling = [...mapping.assign(properties, new Set(ignored)).fields]
  const fieldsWithWords = findFieldsWithWords(kind, ownFields)
  const words = filling
    .filter(([field]) => fieldsWithWords.has(field))
    .map(([field, { column }]) => {
      const becomes = (word: string) => {
        const read = fields[field]?.reader.read(word, { timeZone: 'UTC', areaUnit: 'acre' })
        return typeof read === 'boolean' ? (read ? 'yes' : 'no') : ((read as string | undefined) ?? null)
      }
      const values = valuesOf(draft, { field, column }).map((word) => ({
        said: word,
        becomes: becomes(word),
      }))
      return { field, column, values }
    })
    .filter(({ values }) => values.length > 0)
  // If a column fills two fields, the place is shown.
  const placeLast = filling.toSorted(([one], [other]) => Number(one === 'wkt') - Number(other === 'wkt'))
  return { matches: Object.fromEntries(placeLast.map(([field, { column }]) => [column, field])), words }
}

function findFieldsWithWords(kind: FeatureKind, ownFields: OwnFields): Set<string> {
  const found = singleFields(fieldsOf(kind, ownFields)).filter(
    ([, { value }]) => value.type === 'choice' || value.type === 'flag',
  )
  return new Set(found.map(([path]) => path))
}

function valuesOf({ found, outcome }: Draft, { field, column }: { field: string; column: string }): string[] {
  const first = found?.columns.find(({ name }) => name === column)?.values ?? []
  const later = outcome?.filled.find((one) => one.field === field && one.column === column)?.unknown ?? []
  return [...new Set([...first, ...later])].filter((value) => !isBlank(value))
}
