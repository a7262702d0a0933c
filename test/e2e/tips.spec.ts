import { expect, test } from './fixtures.ts'
import { incident } from './test-map.ts'

test('words show beside a button under the mouse or by the keyboard, until it is used', async ({
  map,
  given,
  page,
}) => {
  await map.open(await given([incident({ id: 'i1' })]))
  const tip = page.getByRole('tooltip')
  const help = map.button('Keyboard shortcuts')
  await expect(tip).toBeHidden()
  await help.hover()
  await expect(tip).toHaveText('Keyboard shortcuts (?)')
  await map.button('Collapse the sidebar').hover()
  await expect(tip).toHaveText('Collapse (B)')
  await page.mouse.down()
  await expect(tip).toBeHidden()
  await page.mouse.up()
  await expect(map.button('Expand the sidebar')).toBeVisible()
  await page.keyboard.press('Tab')
  await map.button('Show all of the land').focus()
  await expect(tip).toHaveText('Show all of the land (H)')
  const words = await tip.boundingBox()
  const button = await map.button('Show all of the land').boundingBox()
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
})
