import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cornerKey } from '#domain/geometry/borders/corners.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { InMap } from '#test/page/in-map.tsx'
import { StubMap } from '#test/page/stub-map.ts'
import type { Handle } from './shape-handles.ts'
import { useHandleDrag } from './use-handle-drag.ts'

const center = { lng: -112.4, lat: 35.2 }
let map: StubMap
let frames: Map<number, FrameRequestCallback>

beforeEach(() => {
  map = new StubMap({ ...center, zoom: 18 })
  map.getContainer().setPointerCapture = () => {}
  document.body.append(map.getContainer())
  frames = new Map()
  let last = 0
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    frames.set(++last, callback)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
})
afterEach(() => {
  cleanup()
  map.getContainer().remove()
  vi.unstubAllGlobals()
})

function paintFrame() {
  const callbacks = [...frames.values()]
  frames.clear()
  act(() => {
    for (const callback of callbacks) callback(0)
  })
}

/** `x` and `y` are pixels from the center of the map. */
function positionAt(x: number, y: number): Position {
  const { x: left, y: top } = map.project(center)
  const { lng, lat } = map.unproject({ x: left + x, y: top + y })
  return [lng, lat]
}

function point(type: string, x: number, y: number) {
  const { x: left, y: top } = map.project(center)
  const box = map.getContainer().getBoundingClientRect()
  const place = { clientX: box.left + left + x, clientY: box.top + top + y }
  act(() => {
    const event = new PointerEvent(type, { ...place, button: 0, pointerId: 1, pointerType: 'mouse' })
    map.getContainer().dispatchEvent(event)
  })
}

function handleAt(x: number, y: number): Handle {
  const position = positionAt(x, y)
  return { role: 'own', position, corner: cornerKey(position) }
}

function start(handles: readonly Handle[]) {
  const drag = {
    onStart: vi.fn(),
    onDrag: vi.fn(),
    onEnd: vi.fn(),
    onPress: vi.fn(),
    onRemove: vi.fn(),
  }
  const wrapper = ({ children }: { children: ReactNode }) => <InMap map={map}>{children}</InMap>
  const { rerender } = renderHook(
    (shown: readonly Handle[]) => useHandleDrag({ ...drag, isOn: true, handles: shown }),
    { wrapper, initialProps: handles },
  )
  return { ...drag, rerender }
}

function expectPosition([lng, lat]: Position, [expectedLng, expectedLat]: Position) {
  expect(lng).toBeCloseTo(expectedLng, 9)
  expect(lat).toBeCloseTo(expectedLat, 9)
}

it('updates once per frame, with the last position', () => {
  const { onDrag, onEnd } = start([handleAt(0, 0)])
  point('pointerdown', 0, 0)
  for (const x of [10, 20, 30]) point('pointermove', x, 0)
  expect(onDrag).not.toHaveBeenCalled()
  paintFrame()
  expect(onDrag).toHaveBeenCalledTimes(1)
  expectPosition(onDrag.mock.lastCall?.[0].position, positionAt(30, 0))
  paintFrame()
  expect(onDrag).toHaveBeenCalledTimes(1)
  for (const x of [40, 50]) point('pointermove', x, 0)
  paintFrame()
  expect(onDrag).toHaveBeenCalledTimes(2)
  // The end has the last position. An update that was due is dropped.
  point('pointermove', 60, 0)
  point('pointerup', 60, 0)
  paintFrame()
  expect(onDrag).toHaveBeenCalledTimes(2)
  expectPosition(onEnd.mock.lastCall?.[0].position, positionAt(60, 0))
})

it('drags the corner under the pointer when it was pressed, also onto another one', () => {
  const [first, second] = [handleAt(0, 0), handleAt(40, 0)]
  const { onStart, onDrag, onEnd, onPress, rerender } = start([first, second])
  // Pressed beside the corner, which keeps its distance to the pointer.
  point('pointerdown', 3, 0)
  point('pointermove', 43, 0)
  paintFrame()
  // Handles follow the shapes while they move.
  rerender([second, handleAt(40, 1)])
  point('pointermove', 43, 0)
  paintFrame()
  point('pointerup', 43, 0)
  expect(onStart.mock.calls).toEqual([[first]])
  for (const [{ position }] of [...onDrag.mock.calls, ...onEnd.mock.calls])
    expectPosition(position, positionAt(40, 0))
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(onPress).not.toHaveBeenCalled()
})
