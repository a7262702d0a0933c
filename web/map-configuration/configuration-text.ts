import type {
  ConfigurationChange,
  ConfigurationField,
} from '#domain/map-configuration/configuration-changes.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { baseMapLabels, drawingToolLabels } from '#domain/map-configuration/map-constants.ts'

export const fieldLabels: Record<ConfigurationField, string> = {
  center: 'Center',
  startZoom: 'Zoom',
  mapTypes: 'Map types',
  defaultMapType: 'Default map type',
  mapBounds: 'Bounds',
  showPersonalData: 'Privacy',
  publicMetadata: 'Public metadata',
  drawingTools: 'Drawing tools',
}

const degrees = (value: number) => (Number.isFinite(value) ? String(Number(value.toFixed(5))) : '?')

const texts: { [Field in ConfigurationField]: (value: MapConfiguration[Field]) => string } = {
  center: ({ lat, lng }) => `${degrees(lat)}, ${degrees(lng)}`,
  startZoom: (zoom) => String(Number(zoom.toFixed(2))),
  mapTypes: (types) => types.map((type) => baseMapLabels[type]).join(', '),
  defaultMapType: (type) => baseMapLabels[type],
  mapBounds: (bounds) =>
    bounds
      ? `N ${degrees(bounds.north)}, E ${degrees(bounds.east)}, S ${degrees(bounds.south)}, W ${degrees(bounds.west)}`
      : 'none',
  showPersonalData: (isShown) => (isShown ? 'personal data public' : 'personal data hidden'),
  publicMetadata: (names) => names.join(', ') || 'none',
  drawingTools: (tools) => tools.map((tool) => drawingToolLabels[tool]).join(', ') || 'none',
}

export function textOf<Field extends ConfigurationField>(
  field: Field,
  configuration: Pick<MapConfiguration, Field>,
): string {
  return texts[field](configuration[field])
}

export function changeText({ field, before, after }: ConfigurationChange): string {
  const text = texts[field] as (value: unknown) => string
  return `${fieldLabels[field]}: ${text(before)} → ${text(after)}`
}
