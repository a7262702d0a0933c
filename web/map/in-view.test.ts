import type { MapGeoJSONFeature } from 'maplibre-gl'
import { expect, it } from 'vitest'
import { featuresInView } from './in-view.ts'
import { shapeStyle } from './shape-style.ts'
import { typeStyle } from './type-style.ts'

function layerType(id: string) {
  if (id.endsWith('dots')) return 'circle'
  return id.endsWith('pins') ? 'symbol' : 'line'
}

const mapOf = (drawn: Record<string, Record<string, string>[]>) =>
  ({
    getLayer: (id: string) => (id in drawn ? { id } : undefined),
    queryRenderedFeatures: ({ layers }: { layers: string[] }) =>
      layers.flatMap((id) =>
        (drawn[id] ?? []).map((properties) => ({ properties, layer: { type: layerType(id) } })),
      ) as unknown as MapGeoJSONFeature[],
  }) as unknown as Parameters<typeof featuresInView>[0]

it('lists each symbol once, also of dimmed features', () => {
  const fire = { type: 'fire', severity: 'high', status: 'unresolved' }
  const map = mapOf({
    'incident-dots': [fire, fire],
    'incident-pins': [fire],
    'rest-incident-dots': [{ type: 'flood', status: 'resolved' }],
  })
  const incident = { group: 'incident', kind: 'incident' }
  expect(featuresInView(map, typeStyle).symbols).toEqual([
    { ...incident, type: 'fire', isResolved: false, severity: 'high' },
    { ...incident, type: 'flood', isResolved: true, severity: 'unknown' },
  ])
})

it('tells shapes apart in the viewer', () => {
  const map = mapOf({ 'shape-asset-lines': [{ type: 'road' }], 'shape-asset-point-pins': [{ type: 'road' }] })
  expect(featuresInView(map, shapeStyle).symbols.map(({ group, type }) => [group, type])).toEqual([
    ['line', 'road'],
    ['point', 'road'],
  ])
})

it.each([
  ['has its pin', { 'incident-dots': ['1', '2'], 'incident-pins': ['1', '2'] }, false],
  ['has no pin', { 'incident-dots': ['1', '2'], 'incident-pins': ['2'] }, true],
  ['is land', { 'parcel-dots': ['1'] }, true],
  ['is dimmed', { 'rest-incident-dots': ['1'], 'rest-incident-pins': ['1'] }, false],
])('knows whether a dot %s', (_what, ids, hasBareDots) => {
  const drawn = Object.entries(ids).map(([layer, some]) => [layer, some.map((id) => ({ id }))])
  expect(featuresInView(mapOf(Object.fromEntries(drawn)), typeStyle).hasBareDots).toBe(hasBareDots)
})
