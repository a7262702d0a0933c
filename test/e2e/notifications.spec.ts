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
