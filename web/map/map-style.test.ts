import { expect, it } from 'vitest'
import { type MapStyle, restLayersOf } from './map-style.ts'
import { shapeStyle } from './shape-style.ts'
import { typeStyle } from './type-style.ts'

const paintOfRest = (style: MapStyle, id: string) =>
  restLayersOf(style, {}).find((layer) => layer.id === id)?.paint as Record<string, unknown>

it('draws features that do not match at 25%, and lot lines at 50%', () => {
  expect(paintOfRest(typeStyle, 'rest-asset-pins')).toEqual({ 'icon-opacity': ['*', 0.25, 1] })
  expect(paintOfRest(typeStyle, 'rest-asset-dots')).toMatchObject({
    'circle-opacity': ['*', 0.25, 1],
    'circle-stroke-opacity': ['*', 0.25, 1],
  })
  expect(paintOfRest(typeStyle, 'rest-asset-areas')['fill-opacity']).toEqual(['*', 0.25, 0.22])
  expect(paintOfRest(typeStyle, 'rest-parcel-outlines')['line-opacity']).toEqual(['*', 0.5, 1])
  expect(paintOfRest(shapeStyle, 'rest-shape-asset-lines')['line-opacity']).toEqual(['*', 0.25, 1])
})
