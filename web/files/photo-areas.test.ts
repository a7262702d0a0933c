import { expect, it } from 'vitest'
import { areaBetween, areaByKey } from './photo-areas.ts'

const area = { x: 0.5, y: 0.5, width: 0.25, height: 0.25 }

it('draws an area in any direction, within the photo', () => {
  expect(areaBetween({ x: 0.5, y: 0.75 }, { x: 0.25, y: 2 })).toEqual({
    x: 0.25,
    y: 0.75,
    width: 0.25,
    height: 0.25,
  })
  expect(areaBetween({ x: 0.5, y: 0.5 }, { x: 0.501, y: 0.9 })).toBeNull()
})

it('moves, resizes and removes an area by keyboard, within the photo', () => {
  const press = (key: string, shiftKey = false) => areaByKey(area, { key, shiftKey })
  expect(press('ArrowLeft')).toEqual({ ...area, x: 0.49 })
  expect(press('ArrowDown')).toEqual({ ...area, y: 0.51 })
  expect(press('ArrowRight', true)).toEqual({ ...area, width: 0.26 })
  expect(press('Delete')).toBeNull()
  expect(press('a')).toBeUndefined()
  const atEdge = { x: 0, y: 0.75, width: 0.01, height: 0.25 }
  expect(areaByKey(atEdge, { key: 'ArrowLeft', shiftKey: false })).toEqual(atEdge)
  expect(areaByKey(atEdge, { key: 'ArrowDown', shiftKey: true })).toEqual(atEdge)
  expect(areaByKey(atEdge, { key: 'ArrowLeft', shiftKey: true })).toEqual(atEdge)
})
