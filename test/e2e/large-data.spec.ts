import type { NewFeature } from '#domain/features/feature.schema.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'
import { asset, pointAt } from '#test/databases/test-map.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

// Traces copy the whole page at every step and take longer than the tests.
test.use({ trace: 'off' })

test('loads more clients on scrolling, to the last of 450', async ({ area, page, server }) => {
  await addClients(server.database, 450)
  await area.signInTo('/config/map?text=crowd')
  const selection = new ClientSelection(page)
  await expect(selection.count).toHaveText('450 clients')
  await selection.heading.hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 1_000_000)
      return selection.cards.count()
    })
    .toBe(450)
  await page.mouse.wheel(0, 1_000_000)
  await expect(selection.cards.last()).toBeInViewport()
})

test('scrolls, links and searches 100,000 rows', async ({ area, given, page, server }) => {
  const mapId = await given([])
  await fillMap(server.database, mapId, 100_000)
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await expect(table.count).toHaveText('100,000 features')
  await expect(table.grid).toHaveAttribute('aria-rowcount', '100001')
  await table.scrollTo(1)
  await expect(table.row('Tank 100000')).toBeInViewport()
  expect(await table.grid.getByRole('row').count()).toBeLessThan(80)
  await table.sortBy('Name', 'ascending')
  await table.sortBy('Name', 'descending')
  await table.scrollTo(0)
  await expect(table.names().first()).toHaveText('Tank 100000')
  await table.scrollTo(0.5)
  await expect(table.row('Tank 50000')).toBeVisible()
  await table.cell('Tank 50000', 'Name').click()
  await table.hasDetailsOf('Tank 50000')

  await page.reload()
  await table.isSelected('Tank 50000')
  for (const width of [1800, 900]) {
    await page.setViewportSize({ width, height: 700 })
    await expect(table.grid.locator('..')).toHaveAttribute('data-layout', width === 1800 ? 'table' : 'cards')
    await table.isSelected('Tank 50000')
  }
  await table.searchBox.fill('tank 77777')
  await expect(table.names()).toHaveText(['Tank 77777'])
  await expect(table.count).toHaveText('1 feature')

  await table.searchBox.fill('tank')
  await expect(page.getByText('The map shows 10,000 of 100,000 matches.')).toBeVisible()
})

/** Inserts 'Tank 1' to 'Tank {count}' in batches of 300, 20 m apart. */
async function fillMap(database: Database, mapId: string, count: number): Promise<void> {
  const now = Date.now()
  const rows = Array.from({ length: count }, (_, index) => {
    const feature = asset({
      id: `tank-${index + 1}`,
      name: `Tank ${index + 1}`,
      geometry: pointAt((index % 300) * 20, Math.floor(index / 300) * 20),
    })
    return toFeatureRow({ ...feature, mapId } as NewFeature, { now })
  })
  await database.write((transaction) => insertFeatures(transaction, database.engine, rows))
}

async function addClients(database: Database, count: number): Promise<void> {
  const now = Date.now()
  await database.write(async (transaction) => {
    for (let number = 1; number <= count; number++) {
      const client = {
        id: `crowd-${number}`,
        name: `Crowd ${number}`,
        location: 'Everywhere',
        thumbnail: null,
      }
      await insertClient(transaction, client, now)
    }
  })
}
