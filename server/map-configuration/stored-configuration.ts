import {
  defaultMapConfiguration,
  type MapConfiguration,
  readableMapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'

/** The stored text where the applied configuration was taken away. Older servers treat it as unreadable. */
export const nothingApplied = 'null'

/**
 * A configuration as the database holds it; null where nothing is applied. A program of another version, or somebody at
 * the database, may have left what we do not understand; the map is shown all the same, as the default has it.
 */
export function readStoredConfiguration(text: string): {
  configuration: MapConfiguration | null
  isReadable: boolean
} {
  if (text === nothingApplied) return { configuration: null, isReadable: true }
  try {
    const read = readableMapConfiguration.safeParse(JSON.parse(text))
    if (read.success) return { configuration: read.data, isReadable: true }
  } catch {
    // No JSON.
  }
  return { configuration: defaultMapConfiguration, isReadable: false }
}
