import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { defaultMapConfiguration, mapConfiguration } from './map-configuration.schema.ts'
import { proposedConfiguration } from './proposed-configuration.ts'

describe('proposedConfiguration', () => {
  it('is the default of the specification for a map without land', () => {
    expect(proposedConfiguration(null)).toEqual(defaultMapConfiguration)
    expect(defaultMapConfiguration).toMatchObject({
      center: { lat: 34.05, lng: -111.09 },
      startZoom: 14,
      defaultMapType: 'street',
      mapTypes: ['satellite', 'street'],
      mapBounds: null,
    })
  })

  it.each([
    [
      'a few streets in Texas',
      { west: -95.8912, south: 29.7031, east: -95.8701, north: 29.7189 },
      { center: { lat: 29.711, lng: -95.8807 }, startZoom: 14 },
    ],
    [
      'a county',
      { west: -96.2, south: 29.5, east: -95.4, north: 30.1 },
      { center: { lat: 29.8004, lng: -95.8 }, startZoom: 9 },
    ],
    [
      'one place',
      { west: -95.8807, south: 29.711, east: -95.8807, north: 29.711 },
      { center: { lat: 29.711, lng: -95.8807 }, startZoom: 16 },
    ],
    [
      'the world',
      { west: -180, south: -90, east: 180, north: 90 },
      { center: { lat: 0, lng: 0 }, startZoom: 1 },
    ],
  ])('centers on the land and shows all of it: %s', (_land, land, expected) => {
    expect(proposedConfiguration(land)).toEqual({ ...defaultMapConfiguration, ...expected })
  })

  it('is valid, and shows the whole land on a phone, wherever it is', () => {
    const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true })
    const lands = fc.tuple(degrees(180), degrees(180), degrees(85), degrees(85)).map(([a, b, c, d]) => ({
      west: Math.min(a, b),
      east: Math.max(a, b),
      south: Math.min(c, d),
      north: Math.max(c, d),
    }))
    fc.assert(
      fc.property(lands, (land) => {
        const proposed = proposedConfiguration(land)
        const { center, startZoom } = mapConfiguration.parse(proposed)
        const pixels = 256 * 2 ** startZoom
        const x = [land.west, land.east].map((lng) => (mercatorX(lng) - mercatorX(center.lng)) * pixels)
        const y = [land.south, land.north].map((lat) => (mercatorY(lat) - mercatorY(center.lat)) * pixels)
        // The world at zoom 1 is wider than a phone.
        if (startZoom === 1) return
        for (const side of x) expect(Math.abs(side)).toBeLessThanOrEqual(180 + 4)
        for (const side of y) expect(Math.abs(side)).toBeLessThanOrEqual(200 + 4)
      }),
    )
  })
})
