import { parcel } from '../test-map.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { expect, test } from './fixtures.ts'

const land = [parcel({ id: 'p1' })]

test('the sidebar links to every section', async ({ area, given, page }) => {
  const mapId = await given(land, { name: 'Signpost POA' })
  const address = (section: string) => new RegExp(`/config/map/${mapId}/${section}(#|$)`)
  await area.signInTo('/config')
  await expect(area.sidebar.getByText('POA Land Management')).toBeVisible()
  await expect(area.sidebar.getByRole('tab')).toHaveText(['Map', 'Notifications'])
  for (const name of ['Overview', 'Map Config', 'Map Features']) {
    await expect(area.place(name)).toHaveCount(0)
    await expect(area.places.getByText(name)).toHaveAttribute('aria-disabled', 'true')
  }
  await expect(area.place('Map Selection')).toHaveAttribute('aria-current', 'page')
  await area.tab('Notifications').click()
  await expect(page.getByText('Choose a client to see what happened on its map.')).toBeVisible()
  await area.tab('Map').click()

  await new ClientSelection(page).select('Signpost POA').click()
  await expect(page).toHaveURL(address('map'))
  await expect(page).toHaveTitle('Overview · Signpost POA – POA Land Management')
  await expect(area.place('Overview')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: 'Public map' })).toHaveAttribute('href', `/map/${mapId}`)
  await expect(page.getByRole('link', { name: 'Viewer' })).toHaveAttribute('href', `/webgl/${mapId}`)
  await area.place('Map Config').click()
  await expect(page).toHaveURL(address('configuration'))
  await expect(page.getByRole('heading', { name: 'Map Configuration' })).toBeVisible()
  await expect(area.place('Map Config')).toHaveAttribute('aria-current', 'page')
  await area.place('Map Features').click()
  await expect(page).toHaveURL(address('features'))
  await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
  await area.place('Overview').click()
  await expect(page).toHaveURL(address('map'))
  await area.place('Map Selection').click()
  await expect(page).toHaveURL(/\/config\/map$/)

  await area.visit(`/config/map/${mapId}`)
  await expect(page).toHaveURL(address('map'))
  await area.visit(`/config/map/${mapId}/nonsense`)
  await expect(page).toHaveURL(address('map'))
  await expect(page.getByRole('heading', { name: 'Signpost POA' })).toBeVisible()
})

test('resizes sidebar and map, and remembers the sizes', async ({ area, given, page }) => {
  await page.setViewportSize({ width: 1056, height: 560 })
  const mapId = await given(land)
  await area.openSection(mapId, 'map', 'administrator')
  await area.button('Collapse the sidebar').click()
  await expect.poll(async () => (await area.sidebar.boundingBox())?.width).toBe(56)

  await expect(area.split).toHaveAttribute('aria-valuetext', 'Balanced')
  await area.panelShare('Overview').toBe(50)
  await area.split.focus()
  await page.keyboard.press('ArrowRight')
  await area.panelShare('Overview').toBe(25)
  await expect(area.split).toHaveAttribute('aria-valuetext', 'Map')
  await page.keyboard.press('Home')
  await area.panelShare('Overview').toBe(75)
  await page.reload()
  await area.canvas.isComplete()
  await area.panelShare('Overview').toBe(75)
  await expect(area.split).toHaveAttribute('aria-valuetext', 'Configuration')

  await expect(area.button('Collapse the sidebar')).toBeHidden()
  await expect(area.button('Logout')).toBeVisible()
  await area.place('Map Features').click()
  await expect(page).toHaveURL(new RegExp(`/config/map/${mapId}/features`))
  await expect(area.place('Map Features')).toHaveAttribute('aria-current', 'page')
  await expect(area.places.locator('[aria-current], [data-status=active]')).toHaveCount(1)
  await area.button('Notifications').click()
  await expect(area.tab('Notifications')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(async () => (await area.sidebar.boundingBox())?.width).toBe(280)

  await page.setViewportSize({ width: 767, height: 560 })
  const panel = page.getByRole('region', { name: 'Map Features' })
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(767)
  const [map, below] = [await area.canvas.box(), await panel.boundingBox()]
  expect(map.width).toBe(767)
  expect(below?.y).toBeCloseTo(map.y + map.height, -1)
})
