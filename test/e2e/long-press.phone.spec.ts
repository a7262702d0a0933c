import { origin, parcel } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { Finger } from './touch.ts'

const camera = { ...origin, zoom: 15 }

test('holding a finger for 600 ms shows features here, without more than a small movement', async ({
  map,
  given,
  page,
}) => {
  await page.clock.install()
  await map.open(await given([parcel({ id: 'p1', name: 'The meadow' })]), { camera })
  const finger = await Finger.of(page)
  const place = await map.canvas.onPage({ x: 120, y: 160 })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  await finger.down(place)
  await finger.moveTo({ x: place.x + 20, y: place.y })
  await page.clock.runFor(1_000)
  await expect(map.place).toBeHidden()
  await finger.up()
  await finger.down(place)
  await finger.moveTo({ x: place.x + 8, y: place.y + 4 })
  await page.clock.runFor(599)
  await expect(map.place).toBeHidden()
  await page.clock.runFor(1)
  await page.clock.resume()
  await expect(map.place).toBeVisible()
  await finger.up()
  await expect(map.place).toBeVisible()
  await expect(map.place).toContainText(/35\.\d{5}, -112\.\d{5}/)
})
