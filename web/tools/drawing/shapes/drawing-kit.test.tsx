import { screen } from '@testing-library/react'
import type { Position } from 'geojson'
import { describe, expect, it, vi } from 'vitest'
import { drawingTools } from '#domain/map-configuration/map-constants.ts'
import { origin, placeAt, squareAt } from '#test/databases/test-map.ts'
import { DrawingPage, pathOf } from '#test/page/drawing-page.tsx'
import { preparePage } from '#test/page/page.tsx'
import { inertia } from '#web/map/map-interaction.ts'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

const page = preparePage()
const drawing = new DrawingPage(page)

const square = [placeAt(-200, -200), placeAt(200, -200), placeAt(200, 200), placeAt(-200, 200)]
const first = placeAt(-200, -200)

type Box = { west: number; south: number; east: number; north: number }

/** To about a pixel. */
function boxOf(path: readonly Position[]): Box {
  const [lngs, lats] = [path.map(([lng = 0]) => lng), path.map(([, lat = 0]) => lat)]
  return {
    west: Math.min(...lngs),
    south: Math.min(...lats),
    east: Math.max(...lngs),
    north: Math.max(...lats),
  }
}
function expectBox(box: Box, [west, south]: [number, number], [east, north]: [number, number]) {
  const { lng, lat } = placeAt(west, south)
  expect(box.west).toBeCloseTo(lng, 4)
  expect(box.south).toBeCloseTo(lat, 4)
  expect(box.east).toBeCloseTo(placeAt(east, north).lng, 4)
  expect(box.north).toBeCloseTo(placeAt(east, north).lat, 4)
}
const fakeTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

async function drawSquare() {
  await drawing.draw('Polygon', ...square)
  return drawing.hasLogged('created polygon')[0]
}

describe('drawing', () => {
  it('draws a rectangle by clicks and by dragging, and keeps it in the tab', async () => {
    await drawing.open()
    await drawing.choose('Draw: Rectangle')
    await drawing.clickAt(placeAt(-300, -100))
    expect(drawing.status).toBe('Click to place the opposite corner')
    await drawing.clickAt(placeAt(-300, -100))
    expect(drawing.status).toBe('Click to place the opposite corner')
    await drawing.rightClickAt(placeAt(10, 10))
    await drawing.clickAt(placeAt(-100, 100))
    await drawing.drag(placeAt(50, -50), placeAt(250, 150))
    // Without options the map would lose its inertia.
    expect(drawing.map.dragPan.state).toEqual({ isOn: true, options: inertia })
    const [clicked, dragged] = drawing.hasLogged('created rectangle', 'created rectangle')
    expectBox(boxOf(pathOf(clicked)), [-300, -100], [-100, 100])
    expectBox(boxOf(pathOf(dragged)), [50, -50], [250, 150])
    expect(drawing.shapes).toHaveLength(2)
    expect(sessionStorage.getItem(`poa.shapes.${drawing.mapId}`)).toContain(clicked?.id)
  })

  it.each([
    ['Polygon', [placeAt(-200, 0), placeAt(0, 0), placeAt(0, 200)], 4],
    ['Polyline', [placeAt(-200, 0), placeAt(0, 0)], 2],
  ])('requires enough points: %s', async (tool, places, count) => {
    await drawing.open()
    await drawing.choose(`Draw: ${tool}`)
    expect(drawing.status).toBe('Click to place the first point')
    await drawing.clickAt(...places.slice(0, -1))
    expect(drawing.status).toBe('Click to place the next point')
    expect(drawing.isEnabled('Finish')).toBe(false)
    // The first point of a polygon, or the last of a polyline, would finish it.
    await drawing.clickAt(places[0] as never)
    drawing.hasLogged()
    await drawing.key('Escape')
    await drawing.clickAt(...places)
    expect(drawing.status).toMatch(/^Click to place the next point, or the (first|last) one to finish$/)
    await drawing.press('Finish')
    expect(pathOf(drawing.hasLogged(`created ${tool.toLowerCase()}`)[0])).toHaveLength(count)
  })

  it('draws no line by a double click', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polyline')
    const beside = drawing.beside(origin, 5, 5)
    await drawing.clickAt(origin, beside, beside)
    drawing.hasLogged()
  })

  it.each([
    ['Polygon', [placeAt(-100, 0), placeAt(200, 0), placeAt(200, 250)], 0, 4],
    ['Polyline', [placeAt(-100, 0), placeAt(200, 0)], 1, 2],
  ])('finishes only within 10 pixels of the first or last point: %s', async (tool, places, target, count) => {
    await drawing.open()
    await drawing.choose(`Draw: ${tool}`)
    await drawing.clickAt(...places)
    const place = places[target] as (typeof places)[0]
    await drawing.clickAt(drawing.beside(place, 8, -8))
    expect(drawing.corners).toBe(places.length + 1)
    await drawing.press('Undo')
    expect(drawing.corners).toBe(places.length)
    await drawing.clickAt(drawing.beside(place, 6, -7))
    expect(pathOf(drawing.hasLogged(`created ${tool.toLowerCase()}`)[0])).toHaveLength(count)
  })

  it.each(['Polygon', 'Polyline'])('rejects a point whose edge would cross another: %s', async (tool) => {
    await drawing.open()
    await drawing.choose(`Draw: ${tool}`)
    await drawing.clickAt(placeAt(-200, 0), placeAt(200, 0), placeAt(200, 200))
    fakeTime()
    await drawing.moveTo(placeAt(0, -150))
    expect(drawing.isRefused).toBe(false)
    await drawing.clickAt(placeAt(0, -150))
    await page.pass(2_490)
    expect(drawing.isRefused).toBe(true)
    await page.pass(20)
    expect(drawing.isRefused).toBe(false)
    await drawing.clickAt(placeAt(0, 150))
    await drawing.press('Finish')
    expect(pathOf(drawing.hasLogged(`created ${tool.toLowerCase()}`)[0])).toHaveLength(
      tool === 'Polygon' ? 5 : 4,
    )
  })

  it('rejects closing a polygon across its own edge', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polygon')
    // Edges only cross when the ring closes. Clockwise, the engine returns the ring as drawn.
    await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0), placeAt(-100, -200), placeAt(100, -100))
    expect(drawing.isRefused).toBe(false)
    await drawing.clickAt(placeAt(-200, 0))
    expect(drawing.isRefused).toBe(true)
    await drawing.press('Finish')
    drawing.hasLogged()
    await drawing.press('Undo')
    expect(drawing.corners).toBe(3)
    await drawing.clickAt(placeAt(-200, 0))
    expect(pathOf(drawing.hasLogged('created polygon')[0])).toHaveLength(4)
  })

  it('undoes and redoes point by point, then shape by shape', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polyline')
    await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0), placeAt(100, 100))
    expect(drawing.corners).toBe(3)
    await drawing.key('z', { ctrlKey: true })
    expect(drawing.corners).toBe(2)
    await drawing.key('z', { ctrlKey: true, shiftKey: true })
    expect(drawing.corners).toBe(3)
    await drawing.press('Undo', 'Undo')
    expect(drawing.corners).toBe(1)
    await drawing.press('Redo')
    await drawing.press('Finish')
    const [line] = drawing.hasLogged('created polyline')
    expect(pathOf(line)).toHaveLength(2)
    await drawing.press('Undo')
    await drawing.press('Redo')
    const again = drawing.hasLogged('created polyline', 'deleted polyline', 'created polyline')[2]
    expect(again).toEqual(line)
    // Also after the tool was closed.
    await drawing.key('Escape')
    await drawing.key('z', { ctrlKey: true })
    expect(drawing.shapes).toEqual([])
    await drawing.key('y', { ctrlKey: true })
    expect(drawing.shapes).toHaveLength(1)
  })

  it('Escape cancels the shape in progress, then closes the tool', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polygon')
    await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0))
    expect(drawing.corners).toBe(2)
    expect(drawing.isEnabled('Draw: Rectangle')).toBe(false)
    expect(unsavedWork()).toEqual([{ text: 'Shape edits', isStored: false }])
    await drawing.key('Escape', {}, screen.getByLabelText('GeoJSON file'))
    expect(drawing.corners).toBe(0)
    expect(unsavedWork()).toEqual([])
    expect(drawing.button('Draw: Polygon').getAttribute('aria-pressed')).toBe('true')
    await drawing.key('Escape')
    expect(drawing.button('Draw: Polygon').getAttribute('aria-pressed')).toBe('false')
    drawing.hasLogged()
  })

  it('Escape cancels a rectangle during a drag, and the rest of the drag draws nothing', async () => {
    await drawing.open()
    await drawing.choose('Draw: Rectangle')
    await drawing.drag(placeAt(-100, -100), placeAt(100, 100), async () => {
      expect(drawing.bar).toContain('Area')
      await drawing.key('Escape')
    })
    expect(drawing.status).toBe('Click to place the first corner')
    expect(drawing.map.dragPan.state.isOn).toBe(true)
    drawing.hasLogged()
    await drawing.drag(placeAt(-100, -100), placeAt(100, 100))
    drawing.hasLogged('created rectangle')
  })

  it('discards the shape just drawn, and stays on', async () => {
    await drawing.open()
    await drawing.choose('Draw: Rectangle')
    await drawing.drag(placeAt(-100, -100), placeAt(100, 100))
    expect(drawing.shapes).toHaveLength(1)
    await drawing.press('Discard')
    expect(drawing.shapes).toHaveLength(0)
    expect(drawing.status).toBe('Click to place the first corner')
  })

  it('Enter finishes a shape drawn by mouse without adding a corner', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polygon')
    await drawing.clickAt(placeAt(-100, -60), placeAt(100, -60))
    await drawing.key('Enter')
    await drawing.clickAt(placeAt(100, 60))
    await drawing.key('Enter')
    expect(pathOf(drawing.hasLogged('created polygon')[0])).toHaveLength(4)
    await drawing.choose('Draw: Rectangle')
    await drawing.clickAt(placeAt(-50, 100))
    await drawing.moveTo(placeAt(50, 150))
    await drawing.key('Enter')
    drawing.hasLogged('created polygon', 'created rectangle')
  })

  it.each([
    [
      'Rectangle',
      [placeAt(-200, -100)],
      placeAt(200, 100),
      /Area 19\.\d\d acres \(7\.9\d ha\) · Perimeter 3,9\d\d ft \(1\.20 km\)/,
    ],
    [
      'Circle',
      [origin],
      placeAt(200, 0),
      /Area 3\d\.\d\d acres \(12\.\d\d ha\) · Radius 65\d ft \((199|200) m\)/,
    ],
    ['Polyline', [placeAt(-100, 0)], placeAt(100, 0), /Length 65\d ft \((199|200) m\)/],
    ['Polygon', square.slice(0, 3), placeAt(-200, 200), /Area .* · Perimeter /],
    // The edges cross.
    ['Polygon', square.slice(0, 3), placeAt(0, -300), /finishPerimeter/],
  ])('shows measures: %s', async (tool, places, pointer, readout) => {
    await drawing.open()
    await drawing.choose(`Draw: ${tool}`)
    await drawing.clickAt(...places)
    await drawing.moveTo(pointer)
    expect(drawing.bar).toMatch(readout)
  })

  it('shows the configured tools only', async () => {
    await drawing.open({ tools: ['rectangle'] })
    expect(screen.getAllByRole('button', { name: /^Draw: / })).toHaveLength(1)
  })

  it('closes a tool that the settings no longer include, without its unfinished shape', async () => {
    await drawing.open()
    await drawing.choose('Draw: Polygon')
    await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0))
    drawing.applyTools([])
    expect(screen.queryByRole('button', { name: /^Draw: / })).toBeNull()
    expect(drawing.corners).toBe(0)
    expect(unsavedWork()).toEqual([])
    await drawing.clickAt(placeAt(0, 200), placeAt(-200, 0))
    drawing.hasLogged()
    drawing.applyTools(['polygon'])
    expect(drawing.button('Draw: Polygon').getAttribute('aria-pressed')).toBe('false')
  })
})

describe('editing', () => {
  it('needs a shape', async () => {
    await drawing.open()
    const areEnabled = () =>
      ['Edit shapes', 'Delete shapes', 'Download shapes as GeoJSON'].map(drawing.isEnabled)
    expect(areEnabled()).toEqual([false, false, false])
    const created = await drawSquare()
    expect(areEnabled()).toEqual([true, true, true])
    await drawing.press('Delete shapes')
    await drawing.press('Clear all')
    expect(areEnabled()).toEqual([false, false, false])
    expect(drawing.status).toBe('1 shape deleted')
    await drawing.press('Undo')
    const again = drawing.hasLogged('created polygon', 'deleted polygon', 'created polygon')[2]
    expect(again).toEqual(created)
    expect(areEnabled()).toEqual([true, true, true])
  })

  it('moves and reshapes a shape, logs one line on save, and undoes it', async () => {
    await drawing.open()
    const before = await drawSquare()
    await drawing.edit(origin)
    expect(drawing.isEnabled('Save')).toBe(false)
    await drawing.drag(placeAt(0, 0), placeAt(50, 0))
    await drawing.drag(placeAt(250, 200), placeAt(300, 250))
    await drawing.clickAt(placeAt(50, -200))
    await drawing.rightClickAt(placeAt(-150, -200))
    expect(drawing.isEnabled('Draw: Polygon')).toBe(false)
    await drawing.press('Save')
    const edited = drawing.hasLogged('created polygon', 'edited polygon')[1]
    expect(edited?.id).toBe(before?.id)
    expect(pathOf(edited)).toHaveLength(5)
    expectBox(boxOf(pathOf(edited)), [-150, -200], [300, 250])
    expect(drawing.status).toBe('1 shape changed')
    await drawing.press('Undo')
    const restored = drawing.hasLogged('created polygon', 'edited polygon', 'edited polygon')[2]
    expect(restored?.geometry).toEqual(before?.geometry)
  })

  it('undoes and redoes steps; Cancel restores the shape exactly', async () => {
    await drawing.open()
    await drawSquare()
    const stored = () => JSON.stringify(Object.entries(sessionStorage))
    const before = stored()
    await drawing.edit(origin)
    await drawing.drag(placeAt(200, 200), placeAt(300, 250))
    await drawing.clickAt(placeAt(0, -200))
    await drawing.rightClickAt(placeAt(300, 250))
    await drawing.clickAt(first)
    await drawing.press('Remove point')
    expect(drawing.corners).toBe(0)
    for (const isLast of [false, false, false, true]) {
      expect(drawing.isEnabled('Save')).toBe(true)
      await drawing.key('z', { ctrlKey: true })
      expect(drawing.isEnabled('Undo')).toBe(!isLast)
    }
    expect(drawing.isEnabled('Save')).toBe(false)
    for (let step = 0; step < 4; step++) await drawing.press('Redo')
    expect(drawing.isEnabled('Redo')).toBe(false)
    expect(drawing.isEnabled('Save')).toBe(true)
    await drawing.press('Cancel')
    drawing.hasLogged('created polygon')
    expect(stored()).toBe(before)
  })

  it('keeps at least three points of a polygon and two of a polyline', async () => {
    await drawing.open()
    await drawSquare()
    await drawing.draw('Polyline', placeAt(300, -100), placeAt(350, 0), placeAt(300, 100))
    await drawing.edit(origin)
    for (const corner of square.slice(1)) await drawing.rightClickAt(corner)
    await drawing.clickAt(first)
    expect(drawing.isEnabled('Remove point')).toBe(false)
    await drawing.clickAt(placeAt(325, -50))
    await drawing.clickAt(placeAt(325, -50))
    for (const corner of [placeAt(350, 0), placeAt(300, 100)]) await drawing.rightClickAt(corner)
    await drawing.press('Save')
    const [, , polygon, polyline] = drawing.hasLogged(
      ...['created polygon', 'created polyline', 'edited polygon', 'edited polyline'],
    )
    expect(pathOf(polygon)).toHaveLength(4)
    expect(pathOf(polyline)).toHaveLength(2)
  })

  it('returns a point moved across another edge and shows a message for 1000 ms', async () => {
    await drawing.open()
    await drawSquare()
    await drawing.edit(origin)
    fakeTime()
    await drawing.drag(placeAt(200, 200), placeAt(-300, 0))
    await page.pass(990)
    expect(drawing.isRefused).toBe(true)
    await page.pass(20)
    expect(drawing.isRefused).toBe(false)
    expect(drawing.isEnabled('Save')).toBe(false)
  })

  it('drags a marker by its head and resizes a circle by its edge', async () => {
    await drawing.open()
    await drawing.draw('Marker', placeAt(-300, 0))
    await drawing.choose('Draw: Circle')
    await drawing.drag(placeAt(200, 0), placeAt(300, 0))
    const head = drawing.beside(placeAt(-300, 0), 0, -20)
    await drawing.edit(head)
    expect(drawing.status).toBe('Drag the marker')
    await drawing.drag(head, drawing.beside(placeAt(-100, 100), 0, -20))
    await drawing.clickAt(placeAt(200, 0))
    await drawing.clickAt(placeAt(200, 0))
    expect(drawing.status).toBe('Drag the circle, or its edge to resize it')
    await drawing.drag(placeAt(300, 0), placeAt(350, 0))
    expect(drawing.bar).toMatch(/Radius 49\d ft \(1(49|50|51) m\)/)
    await drawing.press('Save')
    const [, , marker] = drawing.hasLogged(
      'created marker',
      'created circle',
      'edited marker',
      'edited circle',
    )
    expectBox(boxOf(pathOf(marker)), [-100, 100], [-100, 100])
  })

  it('draws, moves a point and removes another by keyboard, with the center of the map as pointer', async () => {
    const moveMap = async (east: number, north: number) => {
      await drawing.key('ArrowRight')
      drawing.map.moveTo(placeAt(east, north))
    }
    const press = async (east: number, north: number, key: string) => {
      await moveMap(east, north)
      await drawing.key(key)
    }
    await drawing.open()
    await drawing.choose('Draw: Polygon')
    for (const [east, north] of [
      [-200, -200],
      [200, -200],
      [200, 200],
      [0, 300],
    ] as const)
      await press(east, north, 'Enter')
    expect(drawing.corners).toBe(4)
    await drawing.key('Backspace')
    expect(drawing.corners).toBe(3)
    await press(-200, 200, 'Enter')
    await drawing.key('Enter')
    expect(pathOf(drawing.hasLogged('created polygon')[0])).toHaveLength(5)
    await drawing.choose('Edit shapes')
    await press(0, 0, 'Enter')
    expect(drawing.status).toBe('Drag the shape or its points')
    await press(200, 200, 'Enter')
    await press(200, 300, 'Enter')
    await press(200, -200, 'Backspace')
    await drawing.press('Save')
    const edited = drawing.hasLogged('created polygon', 'edited polygon')[1]
    expect(pathOf(edited)).toHaveLength(4)
    expectBox(boxOf(pathOf(edited)), [-200, -200], [200, 300])
  })
})

describe('deleting', () => {
  it('marks shapes and deletes them together, or cancels', async () => {
    await drawing.open()
    await drawSquare()
    await drawing.draw('Polyline', placeAt(300, -100), placeAt(300, 100))
    const marked = () => drawing.map.featuresOf('leaving-shapes').length
    await drawing.choose('Delete shapes')
    await drawing.clickAt(placeAt(300, 0))
    expect(drawing.status).toBe('1 shape will be deleted when you save')
    expect([marked(), drawing.shapes.length]).toEqual([1, 1])
    expect(unsavedWork()).toHaveLength(1)
    await drawing.press('Cancel')
    expect([marked(), drawing.shapes.length]).toEqual([0, 2])
    await drawing.choose('Delete shapes')
    await drawing.clickAt(placeAt(300, 0))
    await drawing.key('z', { ctrlKey: true })
    expect(drawing.isEnabled('Save')).toBe(false)
    await drawing.press('Redo')
    await drawing.press('Save')
    drawing.hasLogged('created polygon', 'created polyline', 'deleted polyline')
    expect(drawing.shapes).toHaveLength(1)
  })
})

describe('files', () => {
  const meadow = { type: 'Feature', properties: { name: 'Meadow' }, geometry: squareAt(0, 0, 400) }

  it('exports and imports every kind of shape', async () => {
    await drawing.open()
    await drawing.draw('Polyline', placeAt(-300, 250), placeAt(300, 250))
    await drawing.draw('Polygon', placeAt(-300, 0), placeAt(-100, 0), placeAt(-100, 150))
    await drawing.draw('Rectangle', placeAt(0, 0), placeAt(150, 150))
    await drawing.draw('Circle', placeAt(250, 100), placeAt(320, 100))
    await drawing.draw('Marker', placeAt(-200, -200))
    await drawing.draw('Circle marker', placeAt(200, -200))
    const created = drawingTools.map((kind) => `created ${kind}`)
    const drawn = drawing.hasLogged(...created)
    const files: Blob[] = []
    const download = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) files.push(file)
      return 'blob:shapes'
    })
    await drawing.press('Download shapes as GeoJSON')
    download.mockRestore()
    const file = (await files[0]?.text()) ?? ''
    await drawing.press('Delete shapes')
    await drawing.press('Clear all')
    await drawing.chooseFiles({ 'shapes.geojson': file })
    await vi.waitFor(() => expect(drawing.status).toBe('6 shapes opened'))
    const opened = drawing
      .hasLogged(...created, ...drawingTools.map((kind) => `deleted ${kind}`), ...created)
      .slice(12)
    expect(opened.map(({ properties, geometry }) => ({ properties, geometry }))).toEqual(
      drawn.map(({ properties, geometry }) => ({ properties, geometry })),
    )
    expect(opened[0]?.id).not.toBe(drawn[0]?.id)
  })

  it('opens all files or none, with the reason', async () => {
    await drawing.open()
    const problem = () =>
      screen
        .queryAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join('')
    await drawing.chooseFiles({ 'meadow.json': JSON.stringify(meadow), 'photo.jpg': 'not JSON at all' })
    await vi.waitFor(() =>
      expect(problem()).toBe('No shapes opened. photo.jpg: The file is not GeoJSON: it is not valid JSON.'),
    )
    const projected = { type: 'Feature', geometry: { type: 'Point', coordinates: [500_000, 4_000_000] } }
    const features = [meadow, projected]
    await drawing.chooseFiles({ 'projected.json': JSON.stringify({ type: 'FeatureCollection', features }) })
    await vi.waitFor(() =>
      expect(problem()).toBe(
        'No shapes opened. projected.json: Feature 2: [500000,4000000] is not longitude and latitude.',
      ),
    )
    drawing.hasLogged()
  })

  it('moves the map to shapes that are out of view', async () => {
    await drawing.open()
    await drawing.chooseFiles({ 'meadow.json': JSON.stringify(meadow) })
    await vi.waitFor(() => drawing.hasLogged('created polygon'))
    expect(drawing.map.getCenter()).toMatchObject(origin)
    const { lat, lng } = placeAt(20_000, 0)
    await drawing.chooseFiles({ 'far.json': JSON.stringify({ type: 'Point', coordinates: [lng, lat] }) })
    await vi.waitFor(() => expect(drawing.map.getCenter().lng).toBeCloseTo(lng, 6))
  })
})

describe('at the date line', () => {
  const at = { lat: 0, lng: 179.9, zoom: 10 }
  const place = (lng: number, lat: number) => ({ lng, lat })

  it('splits a rectangle, and undoes it as one', async () => {
    await drawing.open({ at })
    await drawing.choose('Draw: Rectangle')
    await drawing.drag(place(179.8, -0.1), place(180.1, 0.1))
    const [west, east] = drawing.hasLogged('created rectangle', 'created rectangle')
    expect(boxOf(pathOf(west))).toMatchObject({ west: expect.closeTo(179.8, 2), east: 180 })
    expect(boxOf(pathOf(east))).toMatchObject({ west: -180, east: expect.closeTo(-179.9, 2) })
    await drawing.press('Undo')
    expect(drawing.shapes).toEqual([])
  })

  it('splits a shape that is reshaped across it, and undoes it as one', async () => {
    await drawing.open({ at })
    await drawing.choose('Draw: Rectangle')
    await drawing.drag(place(179.75, -0.05), place(179.85, 0.05))
    await drawing.edit(place(179.8, 0))
    await drawing.drag(place(179.85, 0.05), place(180.1, 0.1))
    await drawing.press('Save')
    const expected = ['created rectangle', 'edited rectangle', 'created rectangle']
    const [before, west, east] = drawing.hasLogged(...expected)
    expect(west?.id).toBe(before?.id)
    expect([boxOf(pathOf(west)).east, boxOf(pathOf(east)).west]).toEqual([180, -180])
    await drawing.press('Undo')
    const restored = drawing.hasLogged(...expected, 'deleted rectangle', 'edited rectangle')[4]
    expect(restored).toEqual(before)
  })
})
