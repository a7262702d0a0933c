import { asset, parcel, placeAt, pointAt, squareAt, type TestFeature } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Shaping } from './shaping.driver.ts'

/** Squares of 200 m around these centers: 1 | 2, and 3 north of 1. */
const lots: TestFeature[] = [
  parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 200), area: null }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(200, 0, 200), area: null }),
  parcel({ id: 'p3', name: 'Lot 3', geometry: squareAt(0, 200, 200), area: null }),
  asset({ id: 'well', name: 'Old well', type: 'water', geometry: pointAt(115, 0), parcelId: 'p2' }),
]
/** Shared by all three lots. */
const corner = placeAt(100, 100)

test('moves a corner in all lots that share it, and what stands on them follows', async ({
  area,
  given,
  page,
  server,
}) => {
  const mapId = await given(lots)
  const shaping = new Shaping(page, server)
  await shaping.open(mapId, 'Lot 1', corner)
  await isAccessible(page)
  await shaping.button('More').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await shaping.grab(corner, placeAt(130, 100))
  await expect(shaping.status).toHaveText('Moves a corner of Lot 1, Lot 2, and Lot 3')
  await expect(shaping.bar).toContainText(/Lot 1: 9\.86 to 10\.6 acres/)
  await page.mouse.up()
  await expect(shaping.status).toHaveText('Editing Lot 1. Not saved yet: Lot 1, Lot 2, and Lot 3')

  await shaping.button('Undo').click()
  await expect(shaping.button('Save')).toBeDisabled()
  // Undone steps stay.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+z')
  await shaping.drag(placeAt(100, -100), placeAt(130, -100))
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(shaping.status).toHaveText('Editing Lot 1. Not saved yet: Lot 1, Lot 2, and Lot 3')
  await shaping.button('Save').click()
  await expect(shaping.bar).toBeHidden()

  const saved = await shaping.parcels(mapId)
  const [one, two, three] = ['Lot 1', 'Lot 2', 'Lot 3'].map(
    (name) => saved.get(name)?.geometry.coordinates[0] ?? [],
  )
  const moved = one?.filter(([lng]) => lng > placeAt(120, 0).lng) ?? []
  expect(moved).toHaveLength(2)
  for (const position of moved) expect(two).toContainEqual(position)
  expect(three).toContainEqual(moved.find(([, lat]) => lat > placeAt(0, 0).lat))
  expect(await shaping.records.saved(mapId, 'well')).toMatchObject({ parcelId: 'p1' })

  await area.toast('Saved the shapes of Lot 1').getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await shaping.parcels(mapId)).get('Lot 2')?.geometry.coordinates[0])
    .toEqual(squareAt(200, 0, 200).coordinates[0])
  expect(await shaping.records.saved(mapId, 'well')).toMatchObject({ parcelId: 'p2' })
})

test('splits a lot by a line and by area, merges two lots, and saves it all at once', async ({
  given,
  page,
  server,
}) => {
  const mapId = await given(lots)
  const shaping = new Shaping(page, server)
  const { canvas } = shaping.records
  await shaping.open(mapId, 'Lot 3', placeAt(100, 100))
  await shaping.button('Split').click()
  await canvas.click(placeAt(-50, 100))
  await canvas.click(placeAt(-50, 300))
  await shaping.bar.getByRole('button', { name: 'Split', exact: true }).click()
  await expect(shaping.status).toContainText('Lot 3 (2)')

  await shaping.button('Merge').click()
  await canvas.click(placeAt(0, 0))
  await expect(shaping.status).toHaveText('Merge Lot 3 and Lot 1.')
  await shaping.button('Merge 2 parcels').click()
  const dialog = page.getByRole('dialog', { name: 'Merge Lot 3 and Lot 1' })
  await dialog.getByRole('radio', { name: 'All from Lot 1' }).check()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toBeHidden()

  await canvas.click(placeAt(250, 50))
  await expect(shaping.bar).toContainText('Editing Lot 2.')
  await shaping.button('Split').click()
  await shaping.button('By area or distance…').click()
  const byArea = page.getByRole('dialog', { name: 'Split Lot 2' })
  await byArea.getByLabel('Area', { exact: true }).fill('2')
  await isAccessible(page)
  await byArea.getByRole('button', { name: 'Split' }).click()
  await expect(byArea).toBeHidden()
  await shaping.button('Save').click()
  const naming = page.getByRole('dialog', { name: 'Name the new parcels' })
  await naming.getByLabel('Name 1').fill('Lot 4')
  await isAccessible(page)
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect(shaping.bar).toBeHidden()

  const saved = await shaping.parcels(mapId)
  expect([...saved.keys()].sort()).toEqual(['Lot 1', 'Lot 2', 'Lot 2 (2)', 'Lot 4'])
  expect(saved.get('Lot 2 (2)')?.area).toBeCloseTo(2, 3)
})

test('draws a deed, fixes an overlap, and edits corners by keyboard', async ({ given, page, server }) => {
  const mapId = await given(lots)
  const shaping = new Shaping(page, server)
  const { canvas } = shaping.records
  await shaping.open(mapId, 'Lot 2', placeAt(100, 100))
  await shaping.fromMenu('From a deed…')
  await canvas.click(placeAt(300, 100))
  const deed = page.getByRole('region', { name: 'Deed' })
  await deed
    .getByLabel('Legal description')
    .fill('N 0° E 300 ft; thence East 300 ft; thence South 310 ft; thence West 300 ft')
  await expect(deed).toContainText('Closing error 10.0 ft')
  await expect(deed.getByLabel('Call 3', { exact: true })).toHaveValue(/^S 0°00'00" [EW] 310\.00 ft$/)
  await isAccessible(page)
  await deed.getByRole('button', { name: 'Close the last call' }).click()
  await expect(deed).toContainText('Closing the last call would move corners by up to')
  await deed.getByRole('button', { name: 'Apply' }).click()
  await expect(deed).toContainText('The calls close.')
  await deed.getByRole('button', { name: 'New parcel' }).click()
  await expect(shaping.status).toHaveText('Editing New parcel. Not saved yet: New parcel')

  await canvas.click(placeAt(250, 0))
  await page.keyboard.down('Alt')
  await shaping.drag(placeAt(100, -100), placeAt(60, -60))
  await page.keyboard.up('Alt')
  await expect(shaping.bar).toContainText(/Lot [12] overlaps Lot [12] by/)
  await shaping.button('Give to Lot 2').click()
  await expect(shaping.bar).not.toContainText('overlaps')

  await shaping.fromMenu('Table of corners')
  const table = page.getByRole('region', { name: 'Corners of Lot 2' })
  await table.getByText('Bearing, distance').click()
  const call = table.getByLabel('Bearing and distance to corner 2', { exact: true })
  await call.fill('N 89 E 200 m')
  await call.press('Enter')
  await expect(call).toHaveValue(/^N 89°00'00" E 656\.17 ft$/)
  // The map shows the corner of the row.
  await expect(shaping.status).toContainText('It belongs to Lot 2')
  await expect(call).toBeFocused()
  await isAccessible(page)

  await shaping.fromMenu('Move or rotate')
  await shaping.bar.getByLabel('Distance').fill('10')
  const bearing = shaping.bar.getByLabel('Bearing')
  await bearing.press('Enter')
  await expect(shaping.bar).toContainText('Enter a bearing')
  await bearing.fill('N 30 E')
  await isAccessible(page)
  await bearing.press('Enter')
  await expect(shaping.bar.getByLabel('Distance')).toHaveValue('')
  await shaping.button('Undo').click()
  await shaping.button('Back').click()
  await shaping.button('Save').click()
  const naming = page.getByRole('dialog', { name: 'Name the new parcel' })
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect(shaping.bar).toBeHidden()
  const saved = await shaping.parcels(mapId)
  expect(saved.get('New parcel')?.area).toBeCloseTo((300 * 305) / 43_560, 1)
})

test('keeps the size of the bar when a corner gets selected', async ({ given, page, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const mapId = await given(lots)
  const shaping = new Shaping(page, server)
  await shaping.open(mapId, 'Lot 1', corner)
  await expect(shaping.bar).toContainText('Hold Alt to move only this shape')
  await expect(shaping.button('Corner')).toBeDisabled()
  const before = await shaping.bar.boundingBox()
  await shaping.records.canvas.click(corner)
  await expect(shaping.button('Corner')).toBeEnabled()
  expect(await shaping.bar.boundingBox()).toEqual(before)
  await isAccessible(page)
})
