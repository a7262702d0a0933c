import type { Locator } from '@playwright/test'
import {
  asset,
  metersFromOrigin,
  parcel,
  placeAt,
  pointAt,
  squareAt,
  type TestFeature,
} from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { coveringParts, overlap } from './covering.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

const features: TestFeature[] = [
  parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 200), area: null }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(200, 0, 200), area: null }),
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(20, 0) }),
]

type Saved = {
  id: string
  name?: string
  parcelId?: string | null
  area?: number | null
  geometry: { type: string; coordinates: [number, number] & unknown[] }
}
const metersOf = ({ geometry }: Saved) => {
  const [lng, lat] = geometry.coordinates
  const { east, north } = metersFromOrigin({ lat, lng })
  return [Math.round(east), Math.round(north)]
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (!box) throw new Error(`${part} is not in view.`)
  return box
}

test('adds an asset at a click and shows it to other users', async ({
  area,
  given,
  page,
  server,
  visitor,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await visitor.open(mapId)
  await rosa.openMap(mapId)
  await rosa.startAdding('Asset')
  await rosa.canvas.click(placeAt(60, 40))
  await expect(rosa.point('New asset')).toBeVisible()
  await expect(rosa.newForm).toBeVisible()
  await expect(rosa.newForm.getByLabel(/^Name/)).toBeFocused()
  await expect(rosa.newForm).toContainText('On Lot 1')
  await isAccessible(page)
  await rosa.newForm.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rosa.newForm.getByLabel(/^Name/)).toHaveAccessibleDescription(/Must not be empty/)
  await expect(rosa.newForm.getByLabel(/^Name/)).toBeFocused()
  await page.keyboard.type('Culvert')
  await rosa.newForm.getByLabel('Type').selectOption('Water')

  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(rosa.newForm.getByLabel(/^Name/)).toHaveValue('Culvert')
  await rosa.map.openTab('Parcels')
  await rosa.map.row('Lot 2').click()
  await rosa.map.hasDetailsOf('Lot 2')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Continue: Culvert' }).click()
  await rosa.newForm.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rosa.newForm).toBeHidden()
  await rosa.map.hasDetailsOf('Culvert')
  await expect(rosa.map.fact('Parcel')).toHaveText('Lot 1')
  const id = rosa.map.search().select ?? ''
  const saved = (await rosa.saved(mapId, id)) as Saved
  expect(saved).toMatchObject({ name: 'Culvert', type: 'water', status: 'operational' })
  expect(metersOf(saved)).toEqual([60, 40])
  await visitor.hasCount('Assets', 2)
  await area.toast('‘Culvert’ added').getByRole('button', { name: 'Undo' }).click()
  await visitor.hasCount('Assets', 1)
  expect(await rosa.saved(mapId, id)).toBeNull()
})

test('places an incident by keyboard and by coordinates', async ({ given, page, server }) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.openMap(mapId)
  await page.getByRole('button', { name: 'Add', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Incident' }).press('Enter')
  await rosa.isPlacing()
  await expect(rosa.canvas.canvas).toBeFocused()
  await page.keyboard.press('Enter')
  const title = rosa.newForm.getByLabel(/^Title/)
  await expect(title).toBeFocused()
  await page.keyboard.type('Fallen fence')
  const coordinates = rosa.newForm.getByLabel(/^Coordinates/)
  await coordinates.fill('35.2, west')
  await page.keyboard.press('Control+s')
  await expect(coordinates).toBeFocused()
  await expect(coordinates).toHaveAccessibleDescription(/Must be a latitude and longitude/)
  const { lat, lng } = placeAt(230, 10)
  // Without the minus sign the place is in Asia.
  const written = `${Number(lat.toFixed(7))}, ${Number(lng.toFixed(7))}`
  await coordinates.fill(written.replace('-', ''))
  await page.keyboard.press('Control+s')
  const far = rosa.newForm.getByRole('alert')
  await expect(far).toContainText(/Not saved: .* (km|mi) from this map’s land/)
  await coordinates.fill('35.2, west')
  await expect(far).toBeHidden()
  await coordinates.fill(written.replace('-', ''))
  await page.keyboard.press('Control+s')
  await rosa.newForm.getByRole('button', { name: `Use ${written}` }).click()
  await expect(coordinates).toHaveValue(written)
  await coordinates.fill(`${lat.toFixed(7)} N, ${-lng.toFixed(7)} W`)
  await rosa.point('Fallen fence').focus()
  await expect(coordinates).toHaveValue(written)
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+ArrowRight')
  await expect(rosa.newForm).toContainText('On Lot 2')
  await page.keyboard.press('Control+s')
  await expect(rosa.newForm).toBeHidden()
  await rosa.map.hasDetailsOf('Fallen fence')
  const saved = (await rosa.saved(mapId, rosa.map.search().select ?? '')) as Saved
  // 30 pixels at this zoom are 58.5 meters.
  expect(metersOf(saved)).toEqual([289, 10])
  expect(saved.parcelId).toBe('p2')
})

test('moves a point by dragging and undoes it', async ({ area, given, page, server }) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'a1')
  const was = (await rosa.saved(mapId, 'a1')) as Saved
  await rosa.dragPoint('Old well', { x: 30, y: -10 })
  await expect(rosa.count).toHaveText('1 change')
  await rosa.save()
  const moved = (await rosa.saved(mapId, 'a1')) as Saved
  expect(moved.geometry).not.toEqual(was.geometry)
  await area.toast('‘Old well’ saved').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => ((await rosa.saved(mapId, 'a1')) as Saved).geometry).toEqual(was.geometry)
})

test('redraws a parcel and shows its area and neighbors before saving', async ({
  area,
  given,
  page,
  server,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.openMap(mapId)
  await rosa.map.openTab('Parcels')
  await rosa.map.row('Lot 1').click()
  await rosa.edit.click()
  const was = (await rosa.saved(mapId, 'p1')) as Saved
  await rosa.button('Draw again').click()
  await rosa.isPlacing()
  await page.keyboard.press('Escape')
  await expect(rosa.button('Draw again')).toBeFocused()
  await expect(rosa.count).toHaveText('No changes')
  await page.keyboard.press('Enter')
  await rosa.isPlacing()
  for (const place of [placeAt(-90, -90), placeAt(150, -90), placeAt(150, 90), placeAt(-90, 90)])
    await rosa.canvas.click(place)
  for (const width of [1_280, 1_440, 1_000]) {
    await page.setViewportSize({ width, height: 680 })
    await expect.poll(() => coveringParts(page, { 'what the tool tells': rosa.placing })).toEqual([])
  }
  await rosa.placing.getByRole('button', { name: 'Finish' }).click()
  await expect(rosa.count).toHaveText('1 change')
  await expect(rosa.form).toContainText(/Was 9\.86 acres .*, now 10\.7 acres/)
  await expect(rosa.form).toContainText(/Overlaps Lot 2: 2\.\d+ acres/)
  await isAccessible(page)
  await rosa.save()
  const drawn = (await rosa.saved(mapId, 'p1')) as Saved
  expect(drawn.area).toBeCloseTo(10.67, 1)
  await rosa.edit.click()
  await expect(rosa.form).toBeVisible()
  const saved = area.toast('‘Lot 1’ saved')
  expect(overlap(await boxOf(saved), await boxOf(rosa.map.details))).toBe(false)
  await rosa.button('Cancel').click()
  await saved.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => ((await rosa.saved(mapId, 'p1')) as Saved).geometry).toEqual(was.geometry)
})

test('starts a new record from a place, a drawing, another record and the table', async ({
  given,
  map,
  page,
  server,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.openMap(mapId)
  await rosa.canvas.click(placeAt(40, 30), { button: 'right' })
  await map.place.getByRole('button', { name: 'Incident here' }).click()
  await expect(rosa.newForm).toContainText('On Lot 1')
  await expect(rosa.newForm.getByLabel(/^Coordinates/)).toHaveValue(/^35\.2\d+, -112\.\d+$/)
  await rosa.newForm.getByRole('button', { name: 'Cancel' }).click()
  await expect(rosa.newForm).toBeHidden()
  await rosa.area.toast('Discarded ‘New incident’').getByRole('button', { name: 'Undo' }).click()
  await rosa.newForm.getByLabel(/^Title/).fill('Loose dog')
  await page.keyboard.press('Control+s')
  await expect(rosa.newForm).toBeHidden()
  await map.hasDetailsOf('Loose dog')

  await rosa.map.openTab('Assets')
  await rosa.map.row('Old well').click()
  await map.details.getByRole('button', { name: 'More actions for Old well' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await rosa.isPlacing()
  await expect(rosa.newForm.getByLabel('Type')).toHaveValue('water')
  await rosa.canvas.click(placeAt(-60, -60))
  await rosa.newForm.getByLabel(/^Name/).fill('New well')
  await rosa.newForm.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rosa.newForm).toBeHidden()
  await map.hasDetailsOf('New well')

  await rosa.area.visit(`/config/map/${mapId}/features`)
  await rosa.canvas.isComplete()
  await rosa.startAdding('Asset')
  await rosa.canvas.click(placeAt(10, -40))
  await rosa.newForm.getByLabel(/^Name/).fill('Valve')
  await page.keyboard.press('Control+s')
  await expect(rosa.newForm).toBeHidden()
  await map.hasDetailsOf('Valve')
  await expect(page.getByRole('row', { name: /Valve/ })).toBeVisible()
})

test('turns a drawing with name and note into a parcel', async ({ given, page, server }) => {
  const mapId = await given(features)
  const drawings = new StaffViewer(page, server)
  await drawings.signIn('administrator')
  await drawings.open(mapId)
  await drawings.drawRectangle(300, 300)
  await drawings.isSaved()
  await drawings.select('Rectangle')
  await drawings.panel.getByLabel('Name').fill('Lot 3')
  await drawings.panel.getByLabel('Note').fill('As surveyed')
  await drawings.panel.getByRole('button', { name: 'Make this a parcel' }).click()
  const rosa = new Records(page, server)
  await expect(rosa.newForm.getByLabel(/^Name/)).toHaveValue('Lot 3')
  await expect(rosa.newForm.getByLabel('Description')).toHaveValue('As surveyed')
  await rosa.newForm.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rosa.newForm).toBeHidden()
  await rosa.map.hasDetailsOf('Lot 3')
  const saved = (await rosa.saved(mapId, rosa.map.search().select ?? '')) as Saved
  const [drawn] = await drawings.saved(mapId)
  expect(saved.geometry).toEqual(drawn?.geometry)
})
