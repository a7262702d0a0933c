import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import { bounds as boundsSchema, latLng } from '#domain/geometry/geometry.schema.ts'
import {
  type ConfigurationField,
  configurationChanges,
  configurationFields,
} from '#domain/map-configuration/configuration-changes.ts'
import {
  type MapConfiguration,
  type MapConfigurationAnswer,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { type Comparison, compareEdits, type Side } from '#web/ui/unsaved/compare-edits.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'

/** The fields of the panel as typed: texts may be invalid numbers. */
export type FormValues = {
  lat: string
  lng: string
  startZoom: number
  mapTypes: BaseMap[]
  defaultMapType: BaseMap
  hasBounds: boolean
  north: string
  east: string
  south: string
  west: string
  showPersonalData: boolean
  publicMetadata: string[]
  drawingTools: MapConfiguration['drawingTools']
}

/** About a meter. */
const decimals = 5

const written = (value: number) => String(Number(value.toFixed(decimals)))
const read = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

export function centerValues({ lat, lng }: LatLng): Pick<FormValues, 'lat' | 'lng'> {
  return { lat: written(lat), lng: written(lng) }
}

export function boundsValues(bounds: Bounds | null) {
  if (!bounds) return { hasBounds: false }
  const { north, east, south, west } = bounds
  return {
    hasBounds: true,
    north: written(north),
    east: written(east),
    south: written(south),
    west: written(west),
  }
}

/** Keeps every digit of a stored configuration, so that opening the panel changes nothing. */
export function formValues(configuration: MapConfiguration): FormValues {
  const { center, mapBounds, ...rest } = configuration
  const none = { hasBounds: false, north: '', east: '', south: '', west: '' }
  return {
    ...rest,
    lat: String(center.lat),
    lng: String(center.lng),
    ...(mapBounds
      ? {
          hasBounds: true,
          north: String(mapBounds.north),
          east: String(mapBounds.east),
          south: String(mapBounds.south),
          west: String(mapBounds.west),
        }
      : none),
  }
}

export function candidateOf(values: FormValues): MapConfiguration {
  const { lat, lng, hasBounds, north, east, south, west, ...rest } = values
  return {
    ...rest,
    center: { lat: read(lat), lng: read(lng) },
    mapBounds: hasBounds
      ? { north: read(north), east: read(east), south: read(south), west: read(west) }
      : null,
  }
}

export function valuesOf(values: FormValues, fields: readonly ConfigurationField[]): Partial<FormValues> {
  const names = fields.flatMap((field): (keyof FormValues)[] => {
    if (field === 'center') return ['lat', 'lng']
    return field === 'mapBounds' ? ['hasBounds', 'north', 'east', 'south', 'west'] : [field]
  })
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

export function previewOf({ center, mapBounds }: MapConfiguration) {
  return {
    center: latLng.safeParse(center).data ?? null,
    mapBounds: boundsSchema.safeParse(mapBounds).data ?? null,
  }
}

export type SettingsDraft = Comparison<ConfigurationField> & {
  base: MapConfigurationAnswer
  values: FormValues
}

export const draftOfSettings = (
  base: MapConfigurationAnswer,
  configuration = base.configuration,
): SettingsDraft => ({ base, values: formValues(configuration), ...withoutConflicts })

/** Edited fields stay, the others follow `theirs`. A new proposal of the same version causes no conflict. */
export function rebaseSettings(draft: SettingsDraft, theirs: MapConfigurationAnswer): SettingsDraft {
  const { base, values } = draft
  const changed = changedFields(base.configuration, theirs.configuration)
  const edited = changedFields(base.configuration, candidateOf(values))
  const merged = { ...formValues(theirs.configuration), ...valuesOf(values, [...edited]) }
  const differing = changedFields(theirs.configuration, candidateOf(merged))
  const isSameVersion = base.version === theirs.version
  const comparison = compareEdits(configurationFields, { edited, changed, differing }, draft)
  return { base: theirs, values: merged, ...(isSameVersion ? withoutConflicts : comparison) }
}

const withoutConflicts: Comparison<ConfigurationField> = { conflicts: [], updated: [] }

const changedFields = (before: MapConfiguration, after: MapConfiguration) =>
  new Set(configurationChanges(before, after).map(({ field }) => field))

export function settleSetting(draft: SettingsDraft, field: ConfigurationField, side: Side): SettingsDraft {
  const { base, values } = draft
  const theirs = side === 'theirs' ? valuesOf(formValues(base.configuration), [field]) : {}
  const conflicts = draft.conflicts.filter((other) => other !== field)
  return { ...draft, conflicts, values: { ...values, ...theirs } }
}

export const unsavedSettings = defineTabStore({
  name: 'unsaved-settings',
  empty: null as SettingsDraft | null,
  read(stored) {
    // An earlier version stored neither conflicts nor updates.
    const draft = { ...withoutConflicts, ...(stored as SettingsDraft) }
    return typeof draft.base.version === 'number' && typeof draft.values === 'object' ? draft : null
  },
  open: (store) => store,
})

/** Updates the base of a draft if it is from another version of the program, whose settings had other fields. */
export function withReadableBase(draft: SettingsDraft, current: MapConfigurationAnswer): SettingsDraft {
  const { base, values } = draft
  const isReadable = mapConfiguration.safeParse(base.configuration).success
  const readable = base.version === current.version || !isReadable ? current : base
  return { ...draft, base: readable, values: { ...formValues(readable.configuration), ...values } }
}
