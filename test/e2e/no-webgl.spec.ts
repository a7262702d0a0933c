import { ConfigurationPanel } from './configuration-panel.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import { asset, incident, parcel, placeAt } from './test-map.ts'

// A browser that does not let a page draw with WebGL: by its settings, or for want of a graphics driver.

const features = [
  asset({ id: 'a1', name: 'Old well' }),
  incident({ id: 'i1', title: 'Smoke' }),
  parcel({ id: 'p1' }),
]
const camera = { ...placeAt(0, 0), zoom: 15 }

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      ...more: never[]
    ) {
      return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more)
    } as typeof getContext
  }),
)

async function saysSo(page: Page) {
  const words = page.getByRole('region', { name: 'Map', exact: true }).getByRole('alert')
  await expect(words).toContainText('This browser cannot draw the map.')
  await expect(words).toContainText('The map needs WebGL 2')
  await expect(words.getByRole('button', { name: 'Reload' })).toBeVisible()
  // What would do nothing is not offered.
  await expect(page.getByRole('button', { name: 'Zoom in' })).toHaveCount(0)
}

for (const { view, base } of [
  { view: 'main map', base: '/map' },
  { view: 'viewer', base: '/webgl' },
])
  test(`the ${view} says so, and its list and details work`, async ({ given, map, page }) => {
    const mapId = await given(features)
    await map.visit(map.addressOf(mapId, { camera }).replace('/map', base))
    await saysSo(page)
    await map.row('Old well').or(map.row('Smoke')).first().click()
    await expect(map.details.getByRole('heading', { level: 2 })).toBeVisible()
    await map.searchBox.fill('no such thing')
    await expect(map.rows).toHaveCount(0)
    await map.button('Close details').click()
    await expect(map.details).toBeHidden()
  })

test('the configuration area says so, and settings are applied', async ({ area, given, page }) => {
  const mapId = await given(features)
  await area.signInTo(`/config/map/${mapId}/configuration`)
  await saysSo(page)
  const panel = new ConfigurationPanel(page)
  await panel.latitude.fill('36')
  await panel.applyAndWait()
  await area.place('Map Features').click()
  await page.getByRole('row', { name: /Old well/ }).click()
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Old well')
})
