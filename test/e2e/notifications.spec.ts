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
