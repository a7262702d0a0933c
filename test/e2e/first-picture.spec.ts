import { viewerColors } from '#domain/features/palette.ts'
import { asset, origin, parcel } from '#test/databases/test-map.ts'
import { Drawing } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'
import { Ink, rgb } from './ink.ts'

test('data, tools and counts work while the base map never loads', {
  tag: '@painted',
}, async ({ map, given, page, tiles }) => {
  const mapId = await given([asset({ id: 'a1' }), parcel({ id: 'p1' })])
  await page.route(`${tiles.origin}/**`, () => new Promise(() => {}))
  await map.visit(`/webgl/${mapId}#14/${origin.lat}/${origin.lng}`)
  await map.hasCount('Points', 1)
  await map.hasCount('Polygons', 1)
  const onMap = async () => new Ink(await map.canvas.section.screenshot())
  await expect.poll(async () => (await onMap()).count(rgb(viewerColors.point))).toBeGreaterThan(40)
  await expect(new Drawing(page).toolbar).toBeVisible()
  await expect(map.canvas.section).not.toHaveAttribute('data-map-state', 'complete')
})
