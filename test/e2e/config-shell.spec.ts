import { parcel } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

const land = [parcel({ id: 'p1' })]

test('resizes sidebar and map, and remembers the sizes', async ({ area, given, page }) => {
  await page.setViewportSize({ width: 1056, height: 560 })
  const mapId = await given(land)
  await area.openSection(mapId, 'map', 'administrator')
  await expect.poll(async () => (await area.sidebar.boundingBox())?.width).toBe(56)
  await page.setViewportSize({ width: 1280, height: 800 })
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
  await area.button('Show map').click()
  const [map, below] = [await area.canvas.box(), await panel.boundingBox()]
  expect(map.width).toBe(767)
  expect(below?.y).toBeCloseTo(map.y + map.height, -1)
})
