import type { ActivityAction } from '#domain/activity/activities.ts'
import { recordActivity } from '#server/activity/activity.queries.ts'
import { applyConfiguration, asset, incident, parcel, placeAt, pointAt } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { NotificationsPane } from './notifications-pane.driver.ts'

test('marks changes of others as unread until they are read', async ({ area, page, otherPage, server }) => {
  const others = new ConfigArea(otherPage, server)
  await others.openSection('pine-ridge', 'features', 'editor')
  await area.openSection('pine-ridge', 'map', 'manager')
  const mine = new NotificationsPane(page)
  const theirs = new NotificationsPane(otherPage)
  const table = new FeatureTable(otherPage)
  await mine.open()
  await mine.markAllRead()

  await area.tab('Map').click()
  await table.filter('Status').selectOption('Unresolved')
  const name = await table.names().first().innerText()
  await table.statusOf(name).selectOption('Resolved')
  await expect(mine.unread).toHaveText('1 unread')
  await expect(
    page.getByRole('region', { name: 'Last changes' }).getByRole('listitem').first(),
  ).toContainText(`Rosa Delgado resolved ‘${name}’`)
  await mine.open()
  await expect(mine.items.first()).toContainText(`New: Rosa Delgado resolved ‘${name}’`)
  await expect(mine.items.first().locator('time')).toHaveText('this minute')
  await expect(mine.items.first().locator('time')).toHaveAttribute('title', /20\d\d/)

  await others.toast(`‘${name}’: resolved`).getByRole('button', { name: 'Undo' }).click()
  await expect(mine.items.first()).toContainText(`New: Rosa Delgado reopened ‘${name}’`)
  await expect(mine.items.nth(1)).toContainText('New:')
  await expect(mine.unread).toHaveText('2 unread')
  await area.tab('Map').click()
  await expect(mine.unread).toBeHidden()
  await page.reload()
  await area.canvas.isComplete()
  await mine.open()
  await expect(mine.items.first()).toContainText(/^Rosa Delgado reopened/)
  await expect(mine.unread).toBeHidden()
  await theirs.open()
  await expect(theirs.items.first()).toContainText(/^Rosa Delgado reopened/)
})

test('describes every kind of event, newest first', async ({ area, given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1' })])
  const events: [ActivityAction, Record<string, unknown>, string][] = [
    ['sample.created', {}, 'put in the sample data'],
    ['client.added', {}, 'added this client'],
    [
      'features.imported',
      { source: 'lots.csv', created: 12, updated: 0, refused: 3 },
      'imported lots.csv: 12 created, 3 refused',
    ],
    ['features.import-undone', { removed: 12 }, 'took back an import: 12 removed'],
    ['configuration.applied', { version: 1 }, 'applied settings, version 1'],
    [
      'configuration.restored',
      { version: 2, restoredFrom: 1 },
      'restored the settings of version 1, now version 2',
    ],
    [
      'configuration.removed',
      { version: 3 },
      'took the applied settings away, version 3: nothing is applied',
    ],
    ['incident.resolved', { name: 'Smoke' }, 'resolved ‘Smoke’'],
    ['incident.reopened', { name: 'Smoke' }, 'reopened ‘Smoke’'],
    [
      'asset.status-changed',
      { name: 'Old well', before: 'operational', after: 'offline' },
      'set ‘Old well’ from operational to offline',
    ],
    [
      'client.changed',
      { before: { name: 'A', location: 'B' }, after: { name: 'C', location: 'D' } },
      'renamed this client from ‘A’ to ‘C’ and changed its location to ‘D’',
    ],
    ['drawing.added', { count: 1, kind: 'circlemarker', name: '' }, 'drew a circle marker'],
    ['drawing.added', { count: 1, kind: 'polygon', name: 'Pond' }, 'drew the polygon ‘Pond’'],
    ['drawing.added', { count: 12 }, 'drew 12 shapes'],
    ['drawing.changed', { kind: 'marker', name: '' }, 'changed the drawing of a marker'],
    ['drawing.deleted', { kind: 'circle', name: 'Pond' }, 'deleted the drawing of the circle ‘Pond’'],
    ['drawing.cleared', { count: 1 }, 'deleted all of their own drawings: 1 shape'],
    [
      'webhook.stopped',
      { host: 'hooks.example.org', reason: 'failing' },
      'switched the webhook to hooks.example.org off: messages to it failed for a day',
    ],
    ['client.archived', {}, 'archived this client'],
    ['client.restored', {}, 'brought this client back from the archive'],
    ['database.restored', {}, 'restored a backup'],
  ]
  const hourMs = 3_600_000
  const now = Date.now()
  await server.database.write(async (transaction) => {
    for (const [index, [action, details]] of events.entries()) {
      const actor = { id: 'somebody', name: 'Ada Byron' }
      await recordActivity(transaction, { mapId, action, details, actor }, now - (index + 1) * hourMs)
    }
    for (let day = 2; day <= 22; day++)
      await recordActivity(transaction, { mapId, action: 'features.imported' }, now - day * 24 * hourMs)
  })
  await area.openSection(mapId, 'map', 'administrator')
  const pane = new NotificationsPane(page)
  await expect(pane.unread).toHaveText('42 unread')
  await pane.open()
  await expect(pane.items).toHaveCount(30)
  await expect(pane.items.locator('p')).toContainText(
    events.map(([, , words]) => new RegExp(`^New: Ada Byron ${words}$`)),
  )
  await expect(pane.items.nth(events.length)).toContainText('The system imported a file: nothing changed')
  await expect(pane.items.nth(2).locator('time')).toHaveText('3 hr. ago')
  await area.button('Show earlier').click()
  await expect(pane.items).toHaveCount(42)

  await pane.markAllRead()
  await expect(pane.items.first()).toContainText(/^Ada Byron/)
  await page.reload()
  await area.canvas.isComplete()
  await expect(pane.unread).toBeHidden()
})

test('shows no notifications to users who are not staff of the map', async ({ area, given, page }) => {
  const mapId = await given([parcel({ id: 'p1' })])
  await area.openSection(mapId, 'map', 'nobody')
  const pane = new NotificationsPane(page)
  await expect(page.getByRole('heading', { name: 'Last changes' })).toBeHidden()
  await area.tab('Notifications').click()
  await expect(page.getByText('Only staff of this map see what happened on it.')).toBeVisible()
  await expect(pane.items).toHaveCount(0)
})

test('the overview counts open work and links to it and to changes', async ({
  area,
  given,
  page,
  server,
}) => {
  const mapId = await given([
    incident({ id: 'i1', title: 'Smoke over the ridge', severity: 'high' }),
    incident({ id: 'i2', title: 'Fallen cottonwood', severity: null, geometry: pointAt(1500, 0) }),
    incident({ id: 'i3', title: 'Old burn', severity: 'high', resolved: true }),
    asset({ id: 'a1', name: 'Old well', status: 'offline', geometry: pointAt(0, 600) }),
    parcel({ id: 'p1' }),
  ])
  const actor = { id: 'somebody', name: 'Ada Byron' }
  await applyConfiguration(server.database, mapId, {})
  await server.database.write(async (transaction) => {
    const events = [
      { action: 'configuration.applied', details: { version: 1 } },
      { action: 'drawing.added', details: { count: 2 } },
      { action: 'client.changed', details: { before: { name: 'A' }, after: { name: 'B' } } },
      { action: 'incident.reopened', subject: 'i2', details: { name: 'Fallen cottonwood' } },
    ] as const
    for (const [index, activity] of events.entries())
      await recordActivity(transaction, { mapId, actor, ...activity }, Date.now() + index)
  })
  await area.openSection(mapId, 'map', 'administrator')
  const overview = page.getByRole('region', { name: 'Overview' })
  const countsOf = (title: string) => overview.getByRole('region', { name: title }).getByRole('link')
  await expect(countsOf('Open incidents')).toHaveText(['1 High', '0 Medium', '0 Low', '1 Unknown'])
  await expect(countsOf('Assets out of order')).toHaveText(['1 Offline', '0 Maintenance'])
  await countsOf('Open incidents').first().click()
  const table = new FeatureTable(page)
  await expect(table.names()).toHaveText(['Smoke over the ridge'])
  await area.place('Overview').click()
  await countsOf('Assets out of order').first().click()
  await expect(table.names()).toHaveText(['Old well'])

  await area.place('Overview').click()
  const changes = overview.getByRole('region', { name: 'Last changes' })
  const change = (text: string | RegExp) => changes.getByRole('link', { name: text })
  await change('reopened ‘Fallen cottonwood’').click()
  await table.isSelected('Fallen cottonwood')
  await area.canvas.cameraIs({ zoom: 15, ...placeAt(1500, 0) })
  await area.place('Overview').click()
  await expect(change('renamed this client')).toHaveAttribute('href', `/config/map/${mapId}/map`)
  await expect(change('drew 2 shapes')).toHaveAttribute('href', `/webgl/${mapId}`)
  await change('applied settings, version 1').click()
  await expect(page.getByText('Version 1 (applied now)')).toBeInViewport()
  const pane = new NotificationsPane(page)
  await pane.open()
  await pane.items.getByRole('link', { name: 'reopened ‘Fallen cottonwood’' }).click()
  await table.isSelected('Fallen cottonwood')
})
