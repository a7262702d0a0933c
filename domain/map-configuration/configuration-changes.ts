import type { MapConfiguration } from './map-configuration.schema.ts'

export type ConfigurationField = keyof MapConfiguration
export type ConfigurationChange = {
  [Field in ConfigurationField]: {
    field: Field
    before: MapConfiguration[Field]
    after: MapConfiguration[Field]
  }
}[ConfigurationField]

export const configurationFields = [
  'center',
  'startZoom',
  'mapTypes',
  'defaultMapType',
  'mapBounds',
  'showPersonalData',
  'publicMetadata',
  'drawingTools',
] as const satisfies readonly ConfigurationField[]

/** The order of lists does not matter. */
export function configurationChanges(
  before: MapConfiguration,
  after: MapConfiguration,
): ConfigurationChange[] {
  return configurationFields
    .filter((field) => canonical(before[field]) !== canonical(after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }) as ConfigurationChange)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.toSorted())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
