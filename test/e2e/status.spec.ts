import { incidentColors } from '#domain/features/palette.ts'
import type { Database } from '#server/database/database.ts'
import { asset, incident, parcel, placeAt, pointAt } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'

const features = [
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire' }),
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(900, 0) }),
  parcel({ id: 'p1', name: 'Lot 1' }),
]
const camera = { ...placeAt(0, 0), zoom: 14 }

test.describe('with rendered pixels', () => {
  test.use({ deviceScaleFactor: 1 })

  test('resolves an incident in the table, updates other pages, and undoes it', { tag: '@painted' }, async ({
    area,
    given,
    page,
    visitor,
  }) => {
    const mapId = await given(features)
    await visitor.open(mapId, { camera, search: { select: 'i1' } })
    await expect(visitor.fact('Status')).toHaveText('Unresolved')
    /** Counts pixels of the incident's color around its pin: resolved pins are hollow. */
    const pinInk = () =>
      expect.poll(async () => {
        const { x, y } = await visitor.canvas.pointOf(placeAt(0, 0))
        return (await visitor.canvas.ink()).count(rgb(incidentColors.fire), boxAround({ x, y: y - 20 }, 20))
      })
    await pinInk().toBeGreaterThan(400)

    await area.openSection(mapId, 'features', 'administrator')
    const table = new FeatureTable(page)
    await table.statusOf('Smoke over the ridge').selectOption('Resolved')
    await expect(table.statusOf('Smoke over the ridge')).toHaveValue('resolved')
    const done = area.toast('‘Smoke over the ridge’: resolved')
    await expect(done).toBeVisible()
    await expect(table.details).toBeHidden()
    await expect(visitor.fact('Status')).toHaveText('Resolved')
    await expect(visitor.row('Smoke over the ridge')).toContainText('Resolved')
    await pinInk().toBeLessThan(400)

    await done.getByRole('button', { name: 'Undo' }).click()
    await expect(table.statusOf('Smoke over the ridge')).toHaveValue('unresolved')
    await expect(visitor.fact('Status')).toHaveText('Unresolved')
    await pinInk().toBeGreaterThan(400)

    await table.statusOf('Old well').selectOption('Maintenance')
    await expect(area.toast('‘Old well’: maintenance')).toBeVisible()
    await visitor.openTab('Assets')
    await expect(visitor.row('Old well')).toContainText('Maintenance')
    await expect(table.row('Lot 1').getByRole('button')).toHaveCount(0)
    await expect(table.row('Lot 1').getByRole('combobox')).toHaveCount(0)
  })
})

test('only staff can resolve incidents on the public map', async ({
  area,
  map,
  given,
  otherPage,
  visitor,
  page,
  server,
}) => {
  const mapId = await given(features)
  await area.signInTo('/config/map')
  await map.open(mapId, { camera, search: { select: 'i1' } })
  await map.details.getByRole('button', { name: 'Resolve Smoke over the ridge' }).click()
  await expect(map.fact('Status')).toHaveText('Resolved')
  await map.details.getByRole('button', { name: 'Reopen Smoke over the ridge' }).click()
  await expect(map.fact('Status')).toHaveText('Unresolved')
  await map.openTab('Assets')
  await map.row('Old well').click()
  await map.details.getByLabel('Status of Old well').selectOption('Offline')
  await expect(map.row('Old well')).toContainText('Offline')
  await expect(area.toast('‘Old well’: offline')).toBeVisible()
  await page.reload()
  await expect(map.fact('Status')).toHaveText('Offline')

  const offersNothing = async () => {
    await visitor.open(mapId, { camera, search: { select: 'i1' } })
    await visitor.hasDetailsOf('Smoke over the ridge')
    await expect(visitor.fact('Status')).toHaveText('Unresolved')
    await expect(visitor.details.getByRole('button', { name: /^(Resolve|Reopen)/ })).toHaveCount(0)
  }
  await offersNothing()
  const other = new ConfigArea(otherPage, server)
  await other.signInTo('/config/map', 'nobody')
  await offersNothing()
  await visitor.visit(`/map/${mapId}?tab=asset&select=a1`)
  await visitor.hasDetailsOf('Old well')
  await expect(visitor.details.getByRole('combobox')).toHaveCount(0)
  await other.openSection(mapId, 'features')
  const table = new FeatureTable(otherPage)
  await expect(table.row('Old well')).toBeVisible()
  await expect(table.cell('Old well', 'Status')).toHaveText('Offline')
  await expect(table.grid.getByRole('combobox')).toHaveCount(0)
})

test.describe('a conflict', () => {
  test.use({ toleratesNetworkFailures: true })

  test('shows the new status immediately, then the current one after a conflict', async ({
    area,
    given,
    page,
    server,
  }) => {
    const mapId = await given(features)
    // Blocks live updates.
    await page.route('**/api/events**', (route) => route.abort())
    await area.openSection(mapId, 'features', 'administrator')
    const table = new FeatureTable(page)
    await expect(table.statusOf('Old well')).toHaveValue('operational')
    await changeBehindTheBack(server.database, mapId)

    let letThrough = () => {}
    const released = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/features/a1/status', async (route) => {
      await released
      await route.continue()
    })
    await table.statusOf('Old well').selectOption('Maintenance')
    await expect(table.statusOf('Old well')).toHaveValue('maintenance')
    letThrough()
    const refused = area.toast('‘Old well’ was not changed')
    await expect(refused).toContainText('Somebody else was quicker. What you see now is how it is.')
    await expect(refused.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await expect(table.statusOf('Old well')).toHaveValue('offline')
    await table.statusOf('Old well').selectOption('Operational')
    await expect(area.toast('‘Old well’: operational')).toBeVisible()
  })
})

/** Changes the status without notifying the page. */
const changeBehindTheBack = (database: Database, mapId: string) =>
  database.write((transaction) =>
    transaction
      .updateTable('features')
      .set({ status: 'offline', version: 2 })
      .where('map_id', '=', mapId)
      .where('id', '=', 'a1')
      .execute(),
  )
