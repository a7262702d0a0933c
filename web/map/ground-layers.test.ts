import { expect, it } from 'vitest'
import { groundLayers } from './ground-layers.ts'
import { shapeLook } from './shape-look.ts'
import { typeLook } from './type-look.ts'

const idsOf = (...shown: Parameters<typeof groundLayers>) => groundLayers(...shown).map(({ id }) => id)

it('leaves no road or stream on the map when lines are off in the viewer', () => {
  const ids = idsOf(false, shapeLook, { point: true, line: false, polygon: true })
  expect(ids).toEqual(['ground-edge', 'ground-parcels', 'ground-ponds'])
})

it('leaves only parcels when assets are off on the main map, and nothing when both are', () => {
  expect(idsOf(true, typeLook, { incident: true, asset: false, parcel: true })).toEqual([
    'ground-edge',
    'ground-parcels',
  ])
  expect(idsOf(true, typeLook, { incident: true, asset: false, parcel: false })).toEqual([])
})
