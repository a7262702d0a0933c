import { applyConfiguration, origin, placeAt } from '../test-map.ts'
import { Drawing } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...origin, zoom: 15 }
const square = [placeAt(-200, -200), placeAt(200, -200), placeAt(200, 200), placeAt(-200, 200)]
const first = placeAt(-200, -200)

let drawing: Drawing
let mapId: string

test.beforeEach(async ({ map, given, page, server }) => {
  mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle'] })
  drawing = new Drawing(page)
  await map.openViewer(mapId, { camera })
})

async function drawSquare() {
  await drawing.open('Polygon')
  await drawing.clickAt(...square, first)
  await drawing.hasLogged('created polygon')
}

test('asks before discarding unsaved edits of shapes', async ({ page }) => {
  const warning = page.getByRole('dialog', { name: 'Unsaved shapes' })
  const mainMap = page.getByRole('link', { name: 'Main map' })
  await drawSquare()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.drag(placeAt(0, 0), placeAt(50, 0))
  await expect(drawing.action('Save')).toBeEnabled()
  await mainMap.click()
  await expect(warning).toBeVisible()
  await warning.getByRole('button', { name: 'Stay' }).click()
  await expect(warning).toBeHidden()
  await expect(drawing.action('Save')).toBeEnabled()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await warning.getByRole('button', { name: 'Stay' }).click()
  const dialogOpens = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
  await drawing.action('Save').click()
  await drawing.hasLogged('created polygon', 'edited polygon')
  await mainMap.click()
  await expect(page).toHaveURL(new RegExp(`/map/${mapId}`))
})

test('asks before discarding deletion marks and placed points', async ({ page, map }) => {
  const warning = page.getByRole('dialog', { name: 'Unsaved shapes' })
  await drawSquare()
  await drawing.begin('Delete shapes')
  await drawing.clickAt(origin)
  await expect(drawing.status).toContainText('1 shape will be deleted')
  await page.getByRole('link', { name: 'Main map' }).click()
  await warning.getByRole('button', { name: 'Stay' }).click()
  await drawing.action('Cancel').click()

  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(0, 0), placeAt(100, 0))
  await expect(drawing.tool('Rectangle')).toBeDisabled()
  await page.getByRole('link', { name: 'Main map' }).click()
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(new RegExp(`/map/${mapId}`))
  await map.canvas.isComplete()
})

test('undoes and redoes steps of a tool that was closed', async ({ page }) => {
  await drawSquare()
  await page.keyboard.press('Escape')
  await expect(drawing.tool('Polygon')).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('Control+z')
  await drawing.hasLogged('created polygon', 'deleted polygon')
  await expect(drawing.button('Edit shapes')).toBeDisabled()
  await page.keyboard.press('Control+Shift+z')
  const [created, , again] = await drawing.hasLogged('created polygon', 'deleted polygon', 'created polygon')
  expect(again?.shape).toEqual(created?.shape)

  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.drag(placeAt(0, 0), placeAt(50, 0))
  await drawing.action('Save').click()
  await expect(drawing.status).toHaveText('1 shape changed')
  await drawing.open('Rectangle')
  await drawing.action('Undo').click()
  const logged = await drawing.hasLogged(
    'created polygon',
    'deleted polygon',
    'created polygon',
    'edited polygon',
    'edited polygon',
  )
  expect(logged[4]?.shape.geometry).toEqual(created?.shape.geometry)
})

test('shows no area for a self-crossing polygon', async () => {
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-200, -200), placeAt(200, -200), placeAt(200, 200))
  await drawing.moveTo(placeAt(-200, 200))
  await expect(drawing.bar).toContainText(/Area .* · Perimeter /)
  await drawing.moveTo(placeAt(0, -300))
  await expect(drawing.bar).toContainText('Perimeter')
  await expect(drawing.bar).not.toContainText('Area')
})
