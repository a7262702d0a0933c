import { asset, incident, parcel, placeAt, pointAt, squareAt } from '#test/databases/test-map.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

const features = [
  incident({
    id: 'i1',
    title: 'Fallen cottonwood',
    type: 'fallen_tree',
    severity: 'medium',
    date: '2026-05-03T10:00:00Z',
    parcelId: 'p2',
    geometry: pointAt(0, 0),
  }),
  incident({
    id: 'i2',
    title: 'Smoke over the ridge',
    type: 'fire',
    severity: 'high',
    date: '2026-05-01T10:00:00Z',
    geometry: pointAt(1500, 0),
  }),
  incident({
    id: 'i3',
    title: 'Creek over the road',
    type: 'flood',
    date: '2026-05-02T10:00:00Z',
    resolved: true,
    parcelId: 'p1',
    geometry: pointAt(-1500, 0),
  }),
  asset({ id: 'a1', name: 'Well 2', type: 'water', status: 'offline', geometry: pointAt(0, 600) }),
  asset({ id: 'a2', name: 'Well 10', type: 'water', geometry: pointAt(0, -600) }),
  parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(-1500, 0, 300) }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(0, 0, 300) }),
]

test('opening details does not cover the selected row', async ({ area, given, page }) => {
  const mapId = await given(
    Array.from({ length: 30 }, (_, index) => asset({ id: `a${index}`, name: `Well ${index}.` })),
  )
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await expect(table.row('Well 0.')).toBeVisible()
  const box = await table.grid.locator('..').boundingBox()
  if (!box) throw new Error('The table has no box.')
  const bottom = box.y + box.height
  await page.mouse.click(box.x + 150, bottom - 70)
  await expect(table.details).toBeVisible()
  const name = await table.grid.locator('[aria-selected=true] td[data-column=name]').innerText()
  await table.isSelected(name.trim())
})

test('selects in table and map together, by keyboard too', async ({ area, given, page }) => {
  await area.openSection(await given(features), 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.cell('Smoke over the ridge', 'Name').click()
  await area.canvas.cameraIs({ zoom: 15, ...placeAt(1500, 0) })
  await table.isSelected('Smoke over the ridge')
  await table.hasDetailsOf('Smoke over the ridge')
  const [above, below] = [await table.grid.locator('..').boundingBox(), await table.details.boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0) - 1)

  await page.keyboard.press('Escape')
  await expect(table.details).toBeHidden()
  await expect(table.grid).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  const second = await table.names().nth(1).innerText()
  await page.keyboard.press('Enter')
  await table.isSelected(second)
  await table.hasDetailsOf(second)
  await page.keyboard.press('Tab')
  await expect(area.button('Close details')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(table.grid).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await expect(table.grid.getByRole('row', { selected: true })).toHaveAttribute(
    'aria-rowindex',
    String(features.length + 1),
  )

  await table.cell('Well 2', 'Name').click()
  await area.canvas.cameraIs({ zoom: 15, ...placeAt(0, 600) })
  await table.cell('Well 10', 'Name').click()
  await area.canvas.cameraIs({ zoom: 15, ...placeAt(0, -600) })
  await area.button('Zoom out').click()
  await area.canvas.cameraIs({ zoom: 14, ...placeAt(0, -600) })
  await area.canvas.click(placeAt(0, 0), { above: 15 })
  await table.isSelected('Fallen cottonwood')
  await table.hasDetailsOf('Fallen cottonwood')
})

test('shows a pointer cursor only over selectable features', async ({ area, given, page }) => {
  const mapId = await given(features)
  await area.openSection(mapId, 'features', 'administrator')
  const { x, y } = await area.canvas.placeOnPage(placeAt(100, 100))
  await page.mouse.move(x, y)
  await expect(area.canvas.canvas).toHaveCSS('cursor', 'pointer')
  await area.place('Map Config').click()
  await area.canvas.isComplete()
  await page.mouse.move(x + 5, y)
  await expect(area.canvas.canvas).not.toHaveCSS('cursor', 'pointer')
  await page.mouse.click(x, y)
  await expect(page).toHaveURL((url) => url.pathname.endsWith('/configuration') && url.search === '')
})

test('rows do not shift during a click when more data loads', async ({ area, given, page }) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })])
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/assets\/add-record-.*\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  await area.signInTo(`/config/map/${mapId}/features`)
  const table = new FeatureTable(page)
  await expect(table.row('Old well')).toBeVisible()
  const before = await table.row('Old well').boundingBox()
  letGo()
  await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeVisible()
  expect(await table.row('Old well').boundingBox()).toEqual(before)
})
