import {
  defaultMapConfiguration,
  type MapConfiguration,
  readableMapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'

/** Stored if the applied configuration was removed. Older servers treat it as unreadable. */
export const noneApplied = 'null'

/**
 * Null if no configuration is applied. Text that this version cannot read, written by another version or by hand,
 * counts as the default.
 */
export function readStoredConfiguration(text: string): {
  configuration: MapConfiguration | null
  isReadable: boolean
} {
  if (text === noneApplied) return { configuration: null, isReadable: true }
  try {
    const read = readableMapConfiguration.safeParse(JSON.parse(text))
    if (read.success) return { configuration: read.data, isReadable: true }
  } catch {
    // Not JSON.
  }
  return { configuration: defaultMapConfiguration, isReadable: false }
}
