import { expect, it } from 'vitest'
import { groundLayers } from './ground-layers.ts'
import { shapeStyle } from './shape-style.ts'
import { typeStyle } from './type-style.ts'

const idsOf = (...shown: Parameters<typeof groundLayers>) => groundLayers(...shown).map(({ id }) => id)

it('hides roads and streams when lines are off in the viewer', () => {
  const ids = idsOf(false, shapeStyle, { point: true, line: false, polygon: true })
  expect(ids).toEqual(['ground-edge', 'ground-parcels', 'ground-ponds'])
})

it('shows only parcels when assets are off on the main map, and nothing when both are', () => {
  expect(idsOf(true, typeStyle, { incident: true, asset: false, parcel: true })).toEqual([
    'ground-edge',
    'ground-parcels',
  ])
  expect(idsOf(true, typeStyle, { incident: true, asset: false, parcel: false })).toEqual([])
})
