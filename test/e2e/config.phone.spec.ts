import { asset, incident, parcel, pointAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { ConfigurationPanel } from './configuration-panel.driver.ts'
import { coveringParts, rowsInFull } from './covering.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import { smallTargets } from './touch-targets.ts'

async function isUsable(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(page.viewportSize()?.width)
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
}

const long = 'Smoke over the ridge, seen from the county road by several people'
const features = [
  incident({ id: 'i1', title: long, severity: 'high', parcelId: 'p1' }),
  asset({ id: 'a1', name: 'Old well', geometry: pointAt(900, 0) }),
  parcel({ id: 'p1' }),
]

test('every section of the configuration area fits a small phone', async ({ area, given, page }) => {
  await given(features, { name: `Pocket POA` })
  const selection = new ClientSelection(page)
  await area.signInTo(`/config/map?text=pocket`)
  await expect(selection.cards).toHaveCount(1)
  await isUsable(page)
  await selection.choose(`Pocket POA`, 'Edit')
  await selection.name.fill('')
  await selection.submit('Save').tap()
  await expect(selection.name).toHaveAttribute('aria-invalid', 'true')
  await isUsable(page)
  await selection.dialog.getByRole('button', { name: 'Cancel' }).tap()
  await expect(selection.dialog).toBeHidden()
  await selection.select(`Pocket POA`).tap()
  await area.canvas.isComplete()
  await expect(page.getByRole('heading', { name: 'Recent changes' })).toBeVisible()
  await isUsable(page)

  const goTo = async (place: string) => {
    await area.button('Menu').tap()
    await expect(area.place(place)).toBeVisible()
    await isUsable(page)
    await area.place(place).tap()
    await expect(area.sidebar).toBeHidden()
  }
  await goTo('Map Config')
  const panel = new ConfigurationPanel(page)
  await expect(area.canvas.canvas).toBeHidden()
  await area.button('Show map').tap()
  await expect(area.canvas.canvas).toBeVisible()
  await isUsable(page)
  await area.button('Hide map').tap()
  await panel.bounds.check()
  await expect(panel.apply).toBeInViewport({ ratio: 1 })
  await panel.latitude.fill('91')
  await panel.hasProblem(panel.latitude, 'Latitude must be between -90 and 90.')
  await isUsable(page)
  await panel.latitude.fill('35')
  await panel.bounds.uncheck()
  await panel.apply.tap()
  await expect(panel.apply).toBeHidden()
  const toast = await area.toast('Applied the settings').boundingBox()
  // Between the title and the footer.
  expect(toast?.y ?? 0).toBeGreaterThan(56)
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual((page.viewportSize()?.height ?? 0) - 64)

  await goTo('Map Features')
  const table = new FeatureTable(page)
  await expect(table.row('Old well')).toBeVisible()
  await isUsable(page)
  await table.statusOf(long).selectOption('Resolved')
  await area.toast('resolved').getByRole('button', { name: 'Close' }).tap()
  await expect(table.statusOf(long)).toHaveValue('resolved')
  await table.cell('Old well', 'Name').tap()
  await table.hasDetailsOf('Old well')
  await isUsable(page)
  await area.button('Close details').tap()
  await expect(table.row('Old well')).toBeVisible()

  await area.button('Menu').tap()
  await area.tab('Notifications').tap()
  await expect(area.sidebar.getByRole('listitem').first()).toBeVisible()
  await isUsable(page)
  await area.button('Logout').tap()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  await isUsable(page)
})

test('places the buttons of a small map side by side within it', async ({ area, given, page }) => {
  const mapId = await given(features)
  await area.openConfiguration(mapId)
  await area.button('Show map').tap()
  await expect.poll(() => coveringParts(page)).toEqual([])
  await expect(area.split).toBeHidden()
})

for (const [viewport, rows] of [
  [{ width: 740, height: 360 }, 3],
  [{ width: 640, height: 400 }, 2],
] as const)
  test(`keeps the table usable on a low screen, ${viewport.width} x ${viewport.height}`, async ({
    area,
    given,
    page,
  }) => {
    await page.setViewportSize(viewport)
    const many = Array.from({ length: 8 }, (_, at) =>
      incident({ id: `smoke-${at}`, title: `${long}, ${at}` }),
    )
    const mapId = await given([...many, ...features])
    await area.signInTo(`/config/map/${mapId}/features`)
    const table = new FeatureTable(page)
    await expect(table.names().first()).toBeVisible()
    await expect
      .poll(() => rowsInFull(table.grid.locator('..'), table.grid.locator('tbody tr')))
      .toBeGreaterThanOrEqual(rows)
    await isUsable(page)
    await table.names().first().tap()
    await expect(table.details.getByRole('heading', { level: 2 })).toBeInViewport({ ratio: 1 })
  })
