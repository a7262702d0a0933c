import { incident } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

test('shows the tooltip of a button on hover and focus until it is pressed', async ({ map, given, page }) => {
  await map.open(await given([incident({ id: 'i1' })]))
  const tip = page.locator('[role=tooltip]')
  await expect(tip).toBeHidden()
  await map.button('Collapse the sidebar').hover()
  await expect(tip).toHaveText('Collapse (B)')
  await page.mouse.down()
  await expect(tip).toBeHidden()
  await page.mouse.up()
  await expect(map.button('Expand the sidebar')).toBeVisible()
  await page.keyboard.press('Tab')
  await map.button('Zoom to all land').focus()
  await expect(tip).toHaveText('Zoom to all land (H)')
  const words = await tip.boundingBox()
  const button = await map.button('Zoom to all land').boundingBox()
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
})
