import { type Fields, singleFields } from '#domain/definition/definition.ts'

export const rowFieldLabels = {
  id: 'ID in the file',
  latitude: 'Latitude',
  longitude: 'Longitude',
  wkt: 'Shape or location',
} as const

export function fieldLabels(fields: Fields): Map<string, string> {
  const lists = Object.entries(fields).filter(([, { value }]) => value.type === 'list')
  return new Map([
    ...Object.entries(rowFieldLabels),
    ...[...singleFields(fields), ...lists].map(([path, { label }]) => [path, label] as const),
  ])
}

export function unfilledName(fields: object, filled: readonly string[]): string | null {
  const field = ['name', 'title'].find((name) => name in fields)
  return field === undefined || filled.includes(field) ? null : `No column for the ${field}. Choose one.`
}
