import type { MapGeoJSONFeature } from 'maplibre-gl'
import { expect, it } from 'vitest'
import { featuresInView } from './in-view.ts'
import { shapeStyle } from './shape-style.ts'
import { typeStyle } from './type-style.ts'

const mapOf = (drawn: Record<string, Record<string, string>[]>) =>
  ({
    getLayer: (id: string) => (id in drawn ? { id } : undefined),
    queryRenderedFeatures: ({ layers }: { layers: string[] }) =>
      layers.flatMap((id) =>
        (drawn[id] ?? []).map((properties) => ({ properties })),
      ) as unknown as MapGeoJSONFeature[],
  }) as unknown as Parameters<typeof featuresInView>[0]

it('lists what looks the same once, dimmed features too', () => {
  const fire = { type: 'fire', severity: 'high', status: 'unresolved' }
  const map = mapOf({
    'incident-dots': [fire, fire],
    'incident-pins': [fire],
    'rest-incident-dots': [{ type: 'flood', status: 'resolved' }],
  })
  const incident = { group: 'incident', kind: 'incident' }
  expect(featuresInView(map, typeStyle)).toEqual([
    { ...incident, type: 'fire', isResolved: false, severity: 'high' },
    { ...incident, type: 'flood', isResolved: true, severity: 'unknown' },
  ])
})

it('tells shapes apart in the viewer', () => {
  const map = mapOf({ 'shape-asset-lines': [{ type: 'road' }], 'shape-asset-point-pins': [{ type: 'road' }] })
  expect(featuresInView(map, shapeStyle).map(({ group, type }) => [group, type])).toEqual([
    ['line', 'road'],
    ['point', 'road'],
  ])
})
