import type { Locator } from '@playwright/test'
import { incident, parcel, pointAt } from '#test/databases/test-map.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, type Page, test } from './fixtures.ts'

/** The browser fires this event before it lays out the paper. */
async function isOnPaper(page: Page, check: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await check()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
}

async function pixelsOf(picture: Locator): Promise<{ colors: number; brightness: number }> {
  return picture.evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    const bytes = new Uint8Array(pixels ?? [])
    const colors = new Set(new Uint32Array(bytes.buffer)).size
    return { colors, brightness: bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length }
  })
}

test('prints the map with legend, date and credit, then the list or the record @painted', async ({
  map,
  given,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const many = Array.from({ length: 39 }, (_, index) => incident({ id: `i${index}`, title: `Fire ${index}` }))
  many.push(incident({ id: 'i39', title: 'Fire 39', resolved: true, geometry: pointAt(400, 200) }))
  const mapId = await given([...many, parcel({ id: 'p1' })], { name: 'Signpost POA' })
  await map.open(mapId)
  const picture = page.locator('figure canvas')
  await isOnPaper(page, async () => {
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await expect(page.locator('figcaption')).toHaveText(/^Signpost POA .+ · \w+ \d+, \d{4} · /)
    expect((await pixelsOf(picture)).colors).toBeGreaterThan(20)
    await expect(page.getByText('Resolved (hollow)')).toBeVisible()
    await expect(map.rows).toHaveCount(40)
    await expect(map.row('Fire 39')).toBeVisible()
    await expect(page.locator('button:visible, input:visible, select:visible')).toHaveCount(0)
  })
  await expect(picture).toHaveCount(0)
  await page.evaluate(() => {
    window.print = () => window.dispatchEvent(new Event('beforeprint'))
  })
  const { hash } = new URL(page.url())
  const shapeOf = ({ width, height }: HTMLCanvasElement) => Math.round((10 * width) / height) / 10
  for (const ask of [() => page.keyboard.press('Control+p'), () => map.chooseMore('Print this page')]) {
    await ask()
    await expect(picture).toBeAttached()
    // Three quarters of a white picture, as each pixel has an alpha of 255.
    expect((await pixelsOf(picture)).brightness).toBeGreaterThan(190)
    // As wide as the paper; then the view on the screen is back.
    expect(await picture.evaluate(shapeOf)).toBe(2.4)
    for (let time = 0; time < 2; time++)
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(picture).toHaveCount(0)
    await expect.poll(() => new URL(page.url()).hash).toBe(hash)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  }
  await map.button('More pages and settings').click()
  await isOnPaper(page, async () => expect(page.getByRole('menu')).toBeHidden())
  await page.keyboard.press('Escape')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await map.rows.first().click()
  await map.hasDetailsOf('Fire 0')
  await isOnPaper(page, async () => {
    await expect(map.fact('Status')).toBeVisible()
    await expect(map.rows.first()).toBeHidden()
  })
})

test('prints only the open record of Map Features', async ({ area, given, page }) => {
  const many = Array.from({ length: 120 }, (_, index) => parcel({ id: `p${index}`, name: `Lot ${index}` }))
  const features = [incident({ id: 'i1', title: 'Smoke' }), incident({ id: 'i2', title: 'Flood' }), ...many]
  const mapId = await given(features)
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.keyboard.press('Control+p')
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  await expect(table.row('Lot 119')).toBeAttached()
  await isOnPaper(page, async () => {
    await expect(page.locator('figure canvas')).toBeVisible()
    await expect(page.getByText('Features: 122')).toBeVisible()
    await expect(table.row('Flood')).toBeVisible()
    await expect(table.row('Lot 119')).toBeVisible()
    await expect(page.locator('select:visible')).toHaveCount(0)
  })
  await table.cell('Smoke', 'Name').click()
  await table.hasDetailsOf('Smoke')
  await isOnPaper(page, async () => {
    await expect(table.row('Flood')).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Smoke' })).toBeVisible()
  })
})
