import type { MapGeoJSONFeature, Point } from 'maplibre-gl'
import { expect, it } from 'vitest'
import { allHitsAt, hitsAt } from './hits.ts'
import { typeStyle } from './type-style.ts'

const inLayers: Readonly<Record<string, string>> = {
  'asset-lines': 'road',
  'asset-dots': 'road',
  'parcel-areas': 'lot',
}
const dimmed = { 'rest-incident-pins': 'fire', 'rest-parcel-areas': 'lot' }
const mapOf = (inLayers: Readonly<Record<string, string>>) =>
  ({
    getLayer: (id: string) => ({ id }),
    queryRenderedFeatures: (_at: unknown, { layers = [] }: { layers?: string[] } = {}) =>
      layers.flatMap((layer) => {
        const id = inLayers[layer]
        return id ? [{ properties: { id }, geometry: { type: 'LineString' } }] : []
      }) as unknown as MapGeoJSONFeature[],
  }) as unknown as Parameters<typeof hitsAt>[0]
const map = mapOf(inLayers)
const point = { x: 10, y: 10 } as Point

it('a click selects the feature of the first rank', () => {
  expect(hitsAt(map, typeStyle, point).map(({ id }) => id)).toEqual(['road'])
})

it('lists the parcel below a line, and each feature once', () => {
  expect(allHitsAt(map, typeStyle, point).map(({ id, kind }) => [id, kind])).toEqual([
    ['road', 'asset'],
    ['lot', 'parcel'],
  ])
})

it('selects a dimmed feature only where there is no match', () => {
  const hits = (inLayers: Readonly<Record<string, string>>) =>
    hitsAt(mapOf(inLayers), typeStyle, point).map(({ id, isDimmed }) => ({ id, isDimmed }))
  expect(hits({ ...dimmed, 'parcel-areas': 'match' })).toEqual([{ id: 'match', isDimmed: false }])
  expect(hits(dimmed)).toEqual([{ id: 'fire', isDimmed: true }])
})
