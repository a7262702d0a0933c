import type { Map as EngineMap } from 'maplibre-gl'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { origin, placeAt } from '#test/databases/test-map.ts'
import { StubMap } from '#test/page/stub-map.ts'
import { cameraTarget } from './camera-target.ts'
import { confineCamera } from './confine-camera.ts'
import {
  endDragAnywhere,
  handleLongPress,
  moveByKeyboard,
  zoomByDoubleClick,
  zoomByWheel,
} from './map-interaction.ts'

let stub: StubMap
const cleanups: (() => void)[] = []
const engine = () => stub as unknown as EngineMap

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  stub = new StubMap({ ...origin, zoom: 15 })
  document.body.append(stub.getContainer())
})
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
  stub.getContainer().remove()
  vi.useRealTimers()
})

/** Pixels east and south of the start, at zoom 15 of 256-pixel tiles. */
function moved(from: { lng: number; lat: number } = origin) {
  const { lng, lat } = stub.getCenter()
  const pixels = 256 * 2 ** 15
  return [
    Math.round((mercatorX(lng) - mercatorX(from.lng)) * pixels),
    Math.round((mercatorY(lat) - mercatorY(from.lat)) * pixels),
  ]
}
/** Of 256-pixel tiles. */
const zoom = () => stub.getZoom() + 1
const key = (name: string, init: KeyboardEventInit = {}) =>
  stub.getCanvas().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...init }))
const press = (...names: string[]) => {
  for (const name of names) key(name)
}
const wheel = (deltaY: number, init: WheelEventInit = {}) => {
  const { left, top, width, height } = stub.getCanvas().getBoundingClientRect()
  const at = { clientX: left + width / 2, clientY: top + height / 2 }
  // The wheel event of happy-dom has no place.
  const event = new Event('wheel', { bubbles: true })
  stub
    .getCanvas()
    .dispatchEvent(Object.assign(event, { deltaY, deltaMode: 0, ctrlKey: false, ...at, ...init }))
}

describe('moveByKeyboard', () => {
  beforeEach(() => void cleanups.push(moveByKeyboard(engine())))

  it.each([false, true])('adds up quick steps, with reduced motion: %s', (hasReducedMotion) => {
    stub.hasReducedMotion = hasReducedMotion
    press(...Array<string>(20).fill('ArrowRight'))
    vi.runAllTimers()
    expect(moved()).toEqual([1_600, 0])
    press(...Array<string>(20).fill('ArrowLeft'), 'ArrowDown', 'ArrowDown', 'ArrowUp')
    vi.runAllTimers()
    expect(moved()).toEqual([0, 80])
    press('+', '=', 'ArrowUp', '-', '_', '_')
    vi.runAllTimers()
    // At zoom 17 a pixel is a quarter as long.
    expect([...moved(), zoom()]).toEqual([0, 60, 14])
  })

  it('ignores commands of the browser and other elements', () => {
    for (const command of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }]) key('+', command)
    const marker = stub.getCanvasContainer().appendChild(document.createElement('div'))
    marker.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }))
    expect(stub.flights).toEqual([])
  })

  it('starts where a drag stopped the flight', () => {
    press('ArrowRight', 'ArrowRight')
    vi.advanceTimersByTime(50)
    stub.jumpTo({ center: [placeAt(500, 0).lng, placeAt(500, 0).lat] })
    const before = { lng: stub.getCenter().lng, lat: stub.getCenter().lat }
    press('ArrowLeft')
    vi.runAllTimers()
    expect(moved(before)).toEqual([-80, 0])
  })

  it('adds a step to the destination of a flight', () => {
    const { lng, lat } = placeAt(2_000, 0)
    cameraTarget(engine()).flyTo({ lng, lat, zoom: 14 })
    press('-', 'ArrowRight')
    vi.runAllTimers()
    expect([...moved({ lng, lat }), zoom()]).toEqual([160, 0, 14])
  })
})

describe('cameraTarget', () => {
  const within = { west: -112.5, south: 35.1, east: -112.3, north: 35.3 }

  it('limits pans to the bounds and steps of zoom to 1 and 18', () => {
    stub = new StubMap({ ...origin, zoom: 15 })
    Object.assign(stub, { setTransformConstrain: () => {} })
    cleanups.push(moveByKeyboard(engine()))
    cameraTarget(engine()).confine(confineCamera(within, () => 680))
    press(...Array<string>(100).fill('ArrowRight'))
    vi.runAllTimers()
    expect(stub.getCenter().lng).toBeCloseTo(within.east, 9)
    press('ArrowLeft')
    vi.runAllTimers()
    expect(moved({ ...origin, lng: within.east })).toEqual([-80, 0])
    for (let step = 0; step < 5; step++) cameraTarget(engine()).stepZoom(1)
    vi.runAllTimers()
    expect(zoom()).toBe(18)
    for (let step = 0; step < 20; step++) cameraTarget(engine()).stepZoom(-1)
    vi.runAllTimers()
    expect(zoom()).toBe(1)
  })

  it.each([
    ['within the bounds', [-112.4, 35.2], [-112.4, 35.2]],
    ['beside them', [-100, 40], [-112.3, 35.3]],
    ['one turn of the world away', [-112.4 + 360, 35.2], [-112.4, 35.2]],
  ] as const)('confines a camera %s', (_, [lng, lat], expected) => {
    const { center } = confineCamera(within, () => 680)({ lng, lat } as never, 14)
    expect([center.lng, center.lat]).toEqual([expect.closeTo(expected[0], 9), expect.closeTo(expected[1], 9)])
  })

  it('reaches zoom 1 in a view that is higher than the world', () => {
    const { zoom, center } = confineCamera(null, () => 1_080)({ ...origin } as never, -3)
    expect([zoom, center.lng]).toEqual([0, origin.lng])
  })
})

describe('zoomByWheel', () => {
  beforeEach(() => void cleanups.push(zoomByWheel(engine())))

  it('combines events within 40 ms, and zooms one level for 60 pixels', () => {
    for (const delta of [-20, -20, -20]) wheel(delta)
    vi.advanceTimersByTime(39)
    expect(stub.flights).toEqual([])
    vi.runAllTimers()
    expect(stub.flights).toHaveLength(1)
    expect([...moved(), zoom()]).toEqual([0, 0, 16])
    wheel(90)
    vi.runAllTimers()
    expect(zoom()).toBe(14.5)
  })

  it.each([
    ['lines', -3, { deltaMode: 1 }],
    ['pinches', -10, { ctrlKey: true }],
  ])('takes %s', (_, delta, init) => {
    wheel(delta, init)
    vi.runAllTimers()
    expect(zoom()).toBe(16)
  })

  it('keeps the place under the pointer', () => {
    const { left, top, width, height } = stub.getCanvas().getBoundingClientRect()
    wheel(-60, { clientX: left + width / 2 - 100, clientY: top + height / 2 + 60 })
    vi.runAllTimers()
    expect(moved()).toEqual([-50, 30])
  })
})

it('zoomByDoubleClick zooms in, or out with Shift, unless a tool disabled it', () => {
  cleanups.push(zoomByDoubleClick(engine()))
  const point = { x: stub.getContainer().clientWidth / 2, y: stub.getContainer().clientHeight / 2 }
  const click = (shiftKey: boolean) => {
    stub.fire('dblclick', { point, originalEvent: { shiftKey }, preventDefault() {} } as never)
    vi.runAllTimers()
    return zoom()
  }
  expect([click(false), click(true)]).toEqual([16, 15])
  stub.doubleClickZoom.disable()
  expect(click(false)).toBe(15)
})

it('endDragAnywhere tells the map of a release over a control', () => {
  cleanups.push(endDragAnywhere(engine()))
  const released = vi.fn()
  stub.getContainer().addEventListener('mouseup', released)
  document.body.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, clientX: 7 }))
  expect(released.mock.calls.map(([{ clientX }]) => clientX)).toEqual([7])
})

describe('handleLongPress', () => {
  const onLongPress = vi.fn(() => true)
  beforeEach(() => {
    onLongPress.mockClear()
    cleanups.push(handleLongPress(engine(), onLongPress))
  })
  const pointer = (type: string, [x, y]: [number, number], init: PointerEventInit = {}) =>
    stub
      .getCanvas()
      .dispatchEvent(
        new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true, ...init }),
      )
  const isClick = (detail = 1) =>
    stub.getCanvas().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))

  it('answers after 600 ms, and takes no click from the release', () => {
    pointer('pointerdown', [50, 50])
    vi.advanceTimersByTime(599)
    expect(onLongPress).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onLongPress).toHaveBeenCalledOnce()
    pointer('pointerup', [50, 50])
    expect(isClick()).toBe(false)
    expect(isClick()).toBe(true)
  })

  it.each<[string, () => void, number]>([
    ['after a short touch', () => pointer('pointerup', [50, 50]), 0],
    ['after a movement of 20 pixels', () => pointer('pointermove', [70, 50]), 0],
    ['after a movement of 9 pixels', () => pointer('pointermove', [58, 54]), 1],
    ['after a movement of another pointer', () => pointer('pointermove', [90, 90], { pointerId: 2 }), 1],
    ['with a second finger', () => pointer('pointerdown', [90, 90], { pointerId: 2 }), 0],
    ['after the browser took the pointer', () => pointer('pointercancel', [50, 50]), 0],
  ])('%s', (_, act, answers) => {
    pointer('pointerdown', [50, 50])
    vi.advanceTimersByTime(300)
    act()
    vi.advanceTimersByTime(1_000)
    expect(onLongPress).toHaveBeenCalledTimes(answers)
  })

  it.each([
    ['by keyboard', () => {}, 0],
    ['of the next press', () => pointer('pointerdown', [50, 50]), 1],
  ])('keeps the click %s', (_, act, detail) => {
    pointer('pointerdown', [50, 50])
    vi.advanceTimersByTime(600)
    pointer('pointerup', [50, 50])
    act()
    expect(isClick(detail)).toBe(true)
  })

  it('keeps the click if nothing answers', () => {
    onLongPress.mockReturnValueOnce(false)
    pointer('pointerdown', [50, 50])
    vi.advanceTimersByTime(600)
    pointer('pointerup', [50, 50])
    expect(isClick()).toBe(true)
  })

  it.each([
    ['a right click', 'mouse', 2, 1],
    ['the context menu that touch devices open themselves', 'touch', 0, 0],
    ['the button of a pen', 'pen', 2, 1],
  ] as const)('%s', (_, pointerType, button, answers) => {
    pointer('pointerdown', [50, 50], { pointerType, button })
    pointer('pointerup', [50, 50])
    const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 })
    expect(stub.getCanvas().dispatchEvent(menu)).toBe(false)
    expect(onLongPress).toHaveBeenCalledTimes(answers)
  })
})
