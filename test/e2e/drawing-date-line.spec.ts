import { readFile } from 'node:fs/promises'
import type { FeatureCollection, Position } from 'geojson'
import { geometry } from '#domain/geometry/geometry.schema.ts'
import { applyConfiguration } from '../test-map.ts'
import { coordinatesOf, Drawing, type LoggedShape } from './drawing.driver.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'

const camera = { lat: 0, lng: 179.9, zoom: 10 }
const at = (lng: number, lat: number) => ({ lng, lat })

const lngsOf = (logged: LoggedShape | undefined) =>
  ((coordinatesOf(logged)[0] ?? []) as Position[]).map(([lng = 0]) => lng)

let drawing: Drawing
let mapId: string

test.beforeEach(async ({ page, given, server }) => {
  mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle', 'polyline'] })
  drawing = new Drawing(page)
})

test('splits a rectangle at the date line, and reopens it from a file', async ({ map, page }) => {
  await map.openViewer(mapId, { camera })
  await drawing.open('Rectangle')
  await drawing.drag(at(179.8, -0.1), at(180.1, 0.1))
  const [west, east] = await drawing.hasLogged('created rectangle', 'created rectangle')
  expect(Math.max(...lngsOf(west))).toBe(180)
  expect(Math.min(...lngsOf(west))).toBeCloseTo(179.8, 2)
  expect(Math.min(...lngsOf(east))).toBe(-180)
  expect(Math.max(...lngsOf(east))).toBeCloseTo(-179.9, 2)

  const downloading = page.waitForEvent('download')
  await drawing.button('Download shapes as GeoJSON').click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const { features } = JSON.parse(file) as FeatureCollection
  expect(features.map((feature) => geometry.safeParse(feature.geometry).success)).toEqual([true, true])
  await drawing.chooseFile('again.geojson', file)
  await expect(drawing.status).toHaveText('2 shapes opened')

  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await drawing.hasLogged(
    ...['created', 'created', 'created', 'created', 'deleted', 'deleted', 'deleted', 'deleted'].map(
      (what) => `${what} rectangle`,
    ),
  )
})

test('saves and shows a shape beyond the date line', { tag: '@painted' }, async ({ page, server }) => {
  const staff = new StaffViewer(page, server)
  await staff.signIn('administrator')
  await staff.open(mapId, camera)
  await staff.drawing.open('Polyline')
  await staff.drawing.clickAt(at(179.8, 0), at(180.1, 0.1), at(180.1, 0.1))
  await staff.drawing.hasLogged('created polyline', 'created polyline')
  await page.keyboard.press('Escape')
  await expect(staff.count).toHaveText('2 drawings')
  await staff.isSaved()
  await page.reload()
  await expect(staff.count).toHaveText('2 drawings')
  await staff.map.canvas
    .showsInkAt([
      { name: 'west of it', ...at(179.86, 0.02) },
      { name: 'east of it', ...at(180.04, 0.08) },
    ])
    .toEqual(['west of it', 'east of it'])
})

test('cuts a shape reshaped across the date line, and undoes it as one', async ({ map }) => {
  await map.openViewer(mapId, { camera })
  await drawing.open('Rectangle')
  await drawing.drag(at(179.75, -0.05), at(179.85, 0.05))
  await drawing.hasLogged('created rectangle')
  await drawing.begin('Edit shapes')
  await drawing.clickAt(at(179.8, 0))
  await expect(drawing.status).toContainText('Drag the rectangle')
  await drawing.drag(at(179.85, 0.05), at(180.1, 0.1))
  await drawing.action('Save').click()
  const [before, west, east] = await drawing.hasLogged(
    'created rectangle',
    'edited rectangle',
    'created rectangle',
  )
  expect(west?.shape.id).toBe(before?.shape.id)
  expect(Math.max(...lngsOf(west))).toBe(180)
  expect(Math.min(...lngsOf(east))).toBe(-180)
  await drawing.action('Undo').click()
  const logged = await drawing.hasLogged(
    'created rectangle',
    'edited rectangle',
    'created rectangle',
    'deleted rectangle',
    'edited rectangle',
  )
  expect(logged[4]?.shape).toEqual(before?.shape)
})
