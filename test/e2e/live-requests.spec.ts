import { recordActivity } from '#server/activity/activity.queries.ts'
import type { Database } from '#server/database/database.ts'
import {
  applyConfiguration,
  asset,
  incident,
  parcel,
  placeAt,
  pointAt,
  tellOfConfiguration,
} from '../test-map.ts'
import { StaffViewer } from './drawings.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, type Page, test } from './fixtures.ts'

const features = [
  incident({ id: 'i1', title: 'Smoke over the ridge' }),
  asset({ id: 'a1', name: 'Old well', geometry: pointAt(900, 0) }),
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Harold Vasquez' }),
]
const camera = { ...placeAt(0, 0), zoom: 13 }
const summary = ''

/** Collects requests of the map by path; `tiles` stands for all tile requests. */
function requestsOf(page: Page, mapId: string): string[] {
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const [, path] = pathname.split(`/api/maps/${mapId}`)
    if (path === undefined || request.method() !== 'GET') return
    requested.push(path.endsWith('.mvt') ? 'tiles' : path)
  })
  return requested
}

/** Changes arrive in order: the request caused by this change follows all earlier ones. */
async function changeClient(database: Database, mapId: string) {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('clients')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .where('map_id', '=', mapId)
      .execute()
    await recordActivity(transaction, { mapId, action: 'client.changed', subject: mapId }, Date.now())
  })
}

const files = '/features/p1/files'

/** Like `changeClient`, but visitors are not notified. */
const publishFile = (database: Database, mapId: string) =>
  database.write((transaction) =>
    recordActivity(transaction, { mapId, action: 'file.published', subject: 'p1' }, Date.now()),
  )

test('requests only data affected by changes of others', async ({
  map,
  area,
  given,
  otherPage,
  server,
  visitor,
}) => {
  const mapId = await given(features)
  await visitor.open(mapId, { camera, search: { select: 'p1' } })
  await visitor.hasDetailsOf('Lot 1')
  await visitor.canvas.isComplete()
  await area.openSection(mapId, 'features', 'administrator')
  const requested = requestsOf(otherPage, mapId)

  await new FeatureTable(map.page).statusOf('Old well').selectOption('Maintenance')
  await expect.poll(() => requested).toContain('tiles')
  await publishFile(server.database, mapId)
  await expect.poll(() => requested).toContain(files)
  expect(requested.filter((path) => path !== 'tiles').sort()).toEqual([
    summary,
    ...['/features', '/features', '/features'],
    files,
  ])

  requested.length = 0
  await applyConfiguration(server.database, mapId, { startZoom: 9 })
  await tellOfConfiguration(server.database, mapId)
  await expect.poll(() => requested).toContain('/configuration')
  await publishFile(server.database, mapId)
  await expect.poll(() => requested).toContain(files)
  expect(requested.sort()).toEqual([summary, '/configuration', files])

  await expect(visitor.fact('Owner')).not.toHaveText('Harold Vasquez')
  await applyConfiguration(server.database, mapId, { startZoom: 9, showPersonalData: true }, 2)
  await tellOfConfiguration(server.database, mapId)
  await expect(visitor.fact('Owner')).toHaveText('Harold Vasquez')
})

test('does not request the user’s own drawing again', async ({ given, page, server }) => {
  const mapId = await given(features)
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await expect(viewer.count).toBeVisible()
  const requested = requestsOf(page, mapId)
  await viewer.drawRectangle(0, 0)
  await expect(viewer.count).toHaveText('1 drawing')
  await changeClient(server.database, mapId)
  await expect.poll(() => requested).toContain(summary)
  expect(requested.filter((path) => path !== 'tiles')).toEqual([summary])
})
