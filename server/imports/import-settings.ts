import { parse } from 'node:path'
import type { Definition } from '#domain/definition/definition.ts'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import { defaultImportSettings, type ImportSettings } from '#domain/imports/import-draft.schema.ts'
import type { BadField } from '../domain-error.ts'
import { ImportError } from './import-error.ts'
import { fieldsOfKind, updatablePaths } from './mapping/fields.ts'
import { storedColumnsOf } from './mapping/map-columns.ts'

export const firstSettings = (fileName: string): ImportSettings => ({
  ...defaultImportSettings,
  source: parse(fileName).name.slice(0, 200) || fileName,
})

export function findBadSettings(settings: ImportSettings, customFields: CustomFields): BadField[] {
  const { kind, type, columns, values, onlyFields, layout } = settings
  const byField = { columns, values, joined: layout.joined, constants: layout.constants }
  if (kind === null) {
    const needsKind =
      type !== null ||
      onlyFields !== null ||
      Object.values(byField).some((some) => Object.keys(some).length > 0)
    return needsKind ? [{ field: 'kind', reason: 'is required for these settings' }] : []
  }
  const typeField = (definitions[kind] as Definition).fields.type
  const types = typeField?.value.type === 'choice' ? typeField.value.choices : {}
  if (type !== null && !Object.hasOwn(types, type))
    return [{ field: 'type', reason: `${type} is not a type of ${kind}` }]
  const fields = fieldsOfKind(kind, customFields)
  const unknown = Object.entries(byField).flatMap(([setting, some]) =>
    Object.keys(some)
      .filter((field) => !Object.hasOwn(fields, field))
      .map((field) => ({ field: `${setting}.${field}`, reason: `is not a field of ${kind}` })),
  )
  if (unknown.length > 0) return unknown
  const paths = new Set(updatablePaths(kind, customFields))
  const other = onlyFields?.find((field) => !paths.has(field))
  return other === undefined ? [] : [{ field: 'onlyFields', reason: `${other} is not a field of ${kind}` }]
}

export function toImportOptions(settings: ImportSettings) {
  const { kind, type, source, areCoordinatesSwapped, layout, keepsEdits, bringsBack, missing } = settings
  if (kind === null) throw new ImportError('Choose a feature type for the rows.')
  const fixedRows = Object.entries(settings.mended).map(([row, values]) => [Number(row), values] as const)
  return {
    kind,
    source,
    areCoordinatesSwapped,
    layout,
    keepsEdits,
    bringsBack,
    missing,
    columns: new Map(Object.entries(settings.columns)),
    kept: storedColumnsOf(settings.keptFor),
    words: settings.values,
    leftOut: new Set(settings.leftOut),
    mended: new Map(fixedRows),
    ...(type === null ? {} : { type }),
    ...(settings.onlyFields === null ? {} : { onlyFields: settings.onlyFields }),
  }
}
