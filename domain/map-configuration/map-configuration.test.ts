import { describe, expect, it } from 'vitest'
import { configurationChanges } from './configuration-changes.ts'
import {
  configurationReader,
  defaultMapConfiguration,
  type MapConfiguration,
  mapConfiguration,
  readableMapConfiguration,
} from './map-configuration.schema.ts'

const current: MapConfiguration = {
  ...defaultMapConfiguration,
  center: { lat: 40, lng: -100 },
  mapTypes: ['terrain', 'hybrid'],
  defaultMapType: 'terrain',
  showPersonalData: false,
}

describe('configurationReader', () => {
  it.each<[shape: string, given: object, expected: Partial<MapConfiguration>]>([
    [
      'as the specification writes the default one',
      {
        center: { lat: 34.05, lng: -111.09 },
        startZoom: 14,
        defaultMapType: 'street',
        mapBouds: { north: 35, east: -110, south: 33, west: -112 },
        mapTypes: ['satellite', 'street'],
      },
      {
        center: { lat: 34.05, lng: -111.09 },
        mapBounds: { north: 35, east: -110, south: 33, west: -112 },
        mapTypes: ['satellite', 'street'],
      },
    ],
    [
      'as the panel writes its working copy',
      { center: [34.05, -111.09], zoom: 12, mapTypes: ['street'] },
      { center: { lat: 34.05, lng: -111.09 }, startZoom: 12, mapTypes: ['street'], defaultMapType: 'street' },
    ],
    ['our names winning over theirs', { startZoom: 3, zoom: 12 }, { startZoom: 3 }],
  ])('%s', (_shape, given, expected) => {
    expect(readableMapConfiguration.parse(given)).toEqual({ ...defaultMapConfiguration, ...expected })
  })

  it('fills gaps from the current configuration', () => {
    expect(configurationReader(current).parse({ zoom: 9 })).toEqual({ ...current, startZoom: 9 })
  })

  it('uses the first map type if the current default is not offered', () => {
    const read = configurationReader(current).parse({ mapTypes: ['satellite', 'street'] })
    expect(read).toMatchObject({ mapTypes: ['satellite', 'street'], defaultMapType: 'satellite' })
  })

  it.each<[what: string, given: unknown, path: string]>([
    [
      'longitudes for latitudes',
      { mapBouds: { north: -111, east: 34, south: -112, west: 33 } },
      'mapBounds.north',
    ],
    ['north below south', { mapBouds: { north: 33, east: -110, south: 35, west: -112 } }, 'mapBounds.north'],
    ['east of west', { mapBounds: { north: 35, east: -112, south: 33, west: -110 } }, 'mapBounds.east'],
    ['no number', { center: { lat: '34', lng: 0 } }, 'center.lat'],
    ['a zoom too deep', { zoom: 19 }, 'startZoom'],
    ['no map type', { mapTypes: [] }, 'mapTypes'],
    ['a map type twice', { mapTypes: ['street', 'street'] }, 'mapTypes'],
    ['an unknown map type', { mapTypes: ['moon'] }, 'mapTypes.0'],
    ['a default that is not offered', { mapTypes: ['street'], defaultMapType: 'hybrid' }, 'defaultMapType'],
    ['a list', [], ''],
    ['nothing', null, ''],
  ])('rejects %s', (_what, given, path) => {
    const { error } = readableMapConfiguration.safeParse(given)
    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })

  it('accepts the default configuration', () => {
    expect(mapConfiguration.parse(defaultMapConfiguration)).toEqual(defaultMapConfiguration)
  })
})

describe('configurationChanges', () => {
  it('returns the fields that differ, with both values, in the order of the panel', () => {
    const after = { ...current, startZoom: 9, center: { lng: -100, lat: 41 } }
    expect(configurationChanges(current, after)).toEqual([
      { field: 'center', before: { lat: 40, lng: -100 }, after: { lng: -100, lat: 41 } },
      { field: 'startZoom', before: 14, after: 9 },
    ])
  })

  it('ignores the order of lists', () => {
    const after: MapConfiguration = {
      ...current,
      mapTypes: ['hybrid', 'terrain'],
      center: { lng: -100, lat: 40 },
    }
    expect(configurationChanges(current, after)).toEqual([])
  })

  it('includes added and removed bounds', () => {
    const mapBounds = { north: 2, east: 2, south: 1, west: 1 }
    expect(configurationChanges(current, { ...current, mapBounds })).toEqual([
      { field: 'mapBounds', before: null, after: mapBounds },
    ])
  })
})
