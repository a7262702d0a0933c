import geographiclib from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import { defaultClientLocation } from '#domain/clients/reserved-maps.ts'
import { partsOfGeometry } from '#server/geometry/measure-geometry.ts'
import { viewerFeatures } from './viewer-features.ts'

const features = viewerFeatures().filter((feature) => feature.kind === 'feature')
const valuesOf = <Value>(values: readonly Value[]) => new Set(values)

test('are feature-1 to feature-50', () => {
  expect(features.map((feature) => feature.id)).toEqual(
    Array.from({ length: 50 }, (_, index) => `feature-${index + 1}`),
  )
  expect(valuesOf(features.map((feature) => feature.name)).size).toBe(50)
})

test('mix shapes, types and statuses', () => {
  expect(valuesOf(features.map((feature) => feature.geometry.type))).toEqual(
    valuesOf(['Point', 'LineString', 'Polygon']),
  )
  expect(valuesOf(features.map((feature) => feature.featureType))).toEqual(
    valuesOf(['incident', 'parcel', 'asset']),
  )
  expect(valuesOf(features.map((feature) => feature.status))).toEqual(
    valuesOf(['operational', 'maintenance', 'offline']),
  )
})

test('carry a number, a text and a flag', () => {
  for (const { metadata } of features) {
    expect(metadata.map(({ name, value }) => [name, typeof value])).toEqual([
      ['customField1', 'number'],
      ['notes', 'string'],
      ['flag', 'boolean'],
    ])
  }
  expect(valuesOf(features.map((feature) => feature.metadata[2]?.value))).toEqual(valuesOf([true, false]))
})

test('lie within 3 km of the default location', () => {
  const { lat, lng } = defaultClientLocation
  for (const [pointLng, pointLat] of features.flatMap((feature) =>
    partsOfGeometry(feature.geometry).flat(),
  )) {
    expect(geographiclib.Geodesic.WGS84.Inverse(lat, lng, pointLat, pointLng).s12).toBeLessThan(3_000)
  }
})
