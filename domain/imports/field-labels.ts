import { type Fields, singleFields } from '#domain/definition/definition.ts'

/** Labels of the fields that say who and where a row of any kind is. */
export const rowFieldLabels = {
  id: 'Its own id',
  latitude: 'Latitude',
  longitude: 'Longitude',
  wkt: 'Shape or location',
} as const

/** Labels of the fields that a column can fill, by their paths. */
export function fieldLabels(fields: Fields): Map<string, string> {
  const lists = Object.entries(fields).filter(([, { value }]) => value.type === 'list')
  return new Map([
    ...Object.entries(rowFieldLabels),
    ...[...singleFields(fields), ...lists].map(([path, { label }]) => [path, label] as const),
  ])
}
