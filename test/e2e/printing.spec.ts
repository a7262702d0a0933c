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
    const colors = await picture.evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      return new Set(new Uint32Array(new Uint8Array(pixels).buffer)).size
    })
    expect(colors).toBeGreaterThan(20)
    await expect(page.getByText('Resolved (hollow)')).toBeVisible()
    await expect(map.rows).toHaveCount(40)
    await expect(map.row('Fire 39')).toBeVisible()
    await expect(page.locator('button:visible, input:visible, select:visible')).toHaveCount(0)
  })
  await expect(picture).toHaveCount(0)
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await map.chooseMore('Print this page')
  await expect(page.locator('body')).toHaveAttribute('data-printed')
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
  const mapId = await given([incident({ id: 'i1', title: 'Smoke' }), incident({ id: 'i2', title: 'Flood' })])
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await isOnPaper(page, () => expect(table.row('Flood')).toBeVisible())
  await table.cell('Smoke', 'Name').click()
  await table.hasDetailsOf('Smoke')
  await isOnPaper(page, async () => {
    await expect(table.row('Flood')).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Smoke' })).toBeVisible()
  })
})
