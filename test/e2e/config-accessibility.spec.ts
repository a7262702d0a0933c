import { applyConfiguration, asset, incident, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { ConfigurationPanel } from './configuration-panel.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { SessionEnded, SignInPages } from './sign-in.driver.ts'

// Conflicts and ended sessions are errors in the browser console.
test.use({ toleratesNetworkFailures: true })

const features = [
  incident({ id: 'i1', title: 'Smoke over the ridge', severity: 'high', type: 'fire' }),
  asset({ id: 'a1', name: 'Old well', status: 'maintenance', geometry: pointAt(900, 0) }),
  parcel({ id: 'p1' }),
]

test('has no accessibility violations in the configuration area', async ({ area, given, page, server }) => {
  const mapId = await given(features, { name: 'Plain View POA' })
  const selection = new ClientSelection(page)
  await area.signInTo('/config/map')
  await expect(selection.card('Pine Ridge POA')).toBeVisible()
  await isAccessible(page)
  await page.getByText('List', { exact: true }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.locator('[data-stale]')).toHaveCount(0)
  await isAccessible(page)
  await selection.addButton.click()
  await selection.submit('Add client').click()
  await expect(selection.name).toHaveAttribute('aria-invalid', 'true')
  await isAccessible(page)

  await area.openSection(mapId, 'map')
  await expect(page.getByRole('heading', { name: 'Recent changes' })).toBeVisible()
  await isAccessible(page)

  for (const [place, part] of [
    ['Import', page.getByRole('heading', { name: 'Import', exact: true })],
    ['Access tokens', page.getByText('No tokens yet')],
    ['Fields', area.button('Add field to assets')],
  ] as const) {
    await area.place(place).click()
    await expect(part).toBeVisible()
    await isAccessible(page)
  }
  await area.button('Add field to assets').click()
  await area.button('Save').click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
  await isAccessible(page)
  await area.button('Revert').click()

  const dialog = page.getByRole('dialog')
  await area.place('Access tokens').click()
  await area.button('Create token').click()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await isAccessible(page)
  await dialog.getByLabel('Name').fill('County sync')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByLabel('Token')).toHaveValue(/^poa_/)
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await area.button('Revoke County sync').click()
  await expect(dialog.getByRole('button', { name: 'Revoke' })).toBeVisible()
  await isAccessible(page)
  await page.keyboard.press('Escape')

  await area.place('Webhooks').click()
  await area.button('Add webhook').click()
  const address = dialog.getByRole('textbox', { name: 'URL' })
  await address.fill('https://169.254.169.254/latest')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await isAccessible(page)
  await address.fill(`${server.url}/hook`)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByLabel('Secret')).toHaveValue(/^whsec_/)
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('list', { name: 'Webhooks' }).getByRole('button').click()
  await area.button('Send test').click()
  await expect(page.getByRole('table', { name: 'Deliveries' })).toContainText('Status 404')
  await area.button('Turn off').click()
  await expect(area.button('Turn on')).toBeVisible()
  await isAccessible(page)

  const panel = await area.openConfiguration(mapId, null)
  await panel.mapType('Terrain').check()
  await panel.applyAndWait()
  await area.button('Copy to others').click()
  await expect(page.getByLabel('All listed')).toBeVisible()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await panel.openVersions()
  await expect(panel.version(1)).toBeVisible()
  await isAccessible(page)
  await panel.latitude.fill('91')
  await panel.hasProblem(panel.latitude, 'Latitude must be between -90 and 90.')
  await isAccessible(page)
  await panel.latitude.fill('36')
  await applyConfiguration(server.database, mapId, { startZoom: 9, center: placeAt(0, 0) }, 2)
  await panel.apply.click()
  await expect(panel.conflict).toBeVisible()
  await isAccessible(page)
  await panel.conflict.getByRole('button', { name: 'Keep mine' }).click()
  await panel.applyAndWait()
  await expect(panel.changes).toHaveText('No unsaved changes')
  await panel.fillBounds({ north: 36.1, east: -112, south: 36, west: -112.1 })
  await expect(panel.boundsWarning).toContainText('outside the bounds')
  await isAccessible(page)
  await area.button('Reset to defaults').click()
  await expect(panel.removal).toContainText('Your unapplied changes will be discarded.')
  await isAccessible(page)
  await panel.removal.getByRole('button', { name: 'Cancel' }).click()
  await panel.bounds.uncheck()

  await area.place('Map Features').click()
  const table = new FeatureTable(page)
  await expect(table.row('Old well')).toBeVisible()
  await isAccessible(page)
  await table.choose('More', 'Export…')
  await expect(dialog.getByRole('radio', { name: 'Excel' })).toBeChecked()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await table.select('Old well').check()
  await isAccessible(page)
  for (const [menu, item] of [
    ['Actions', 'Edit fields…'],
    ['Actions', 'Remove…'],
    ['Set status', 'Offline'],
  ] as const) {
    await table.choose(menu, item)
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeVisible()
    await isAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await area.button('Clear selection').click()
  await table.cell('Old well', 'Name').click()
  await table.hasDetailsOf('Old well')
  await table.isSelected('Old well')
  await isAccessible(page)
  await area.button(/^Notifications/).click()
  await expect(area.sidebar.getByRole('tabpanel').getByRole('listitem').first()).toBeVisible()
  await isAccessible(page)
  await area.button('Collapse the sidebar').click()
  await expect(area.button('Expand the sidebar')).toBeVisible()
  await isAccessible(page)

  await page.context().clearCookies()
  await table.statusOf('Old well').selectOption('Offline')
  await expect(new SessionEnded(page).dialog).toBeVisible()
  await isAccessible(page)
})

test('signs in, opens a client, changes settings and resolves an incident by keyboard', async ({
  area,
  given,
  page,
}) => {
  const others = Array.from({ length: 60 }, (_, index) =>
    asset({ id: `well-${index}`, name: `Well ${index}` }),
  )
  await given([...features, ...others], { name: 'Keystroke POA' })
  const tabTo = async (reached: () => Promise<boolean>, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    for (let presses = 0; presses < 60; presses++) {
      if (await reached()) return
      await page.keyboard.press(key)
    }
    throw new Error('It cannot be reached with the keyboard.')
  }
  const isOn = (name: string | RegExp) => () =>
    page.locator(':focus').evaluateAll(
      (elements, [source, flags]) =>
        elements.some((element) => {
          const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
          return new RegExp(source as string, flags).test(text.trim())
        }),
      [typeof name === 'string' ? `^${name}$` : name.source, ''],
    )

  await area.visit('/config/map')
  await expect(new SignInPages(page).heading).toHaveText('Choose a demo user')
  await tabTo(isOn(/^Grace Whitfield/))
  await page.keyboard.press('Enter')
  const selection = new ClientSelection(page)
  await expect(selection.heading).toBeVisible()
  await tabTo(isOn('Search clients'))
  await page.keyboard.type('keystroke')
  await expect(selection.count).toHaveText('1 client')
  await tabTo(isOn('Select Keystroke POA'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Keystroke POA', exact: true })).toBeVisible()
  await expect(page.locator('main')).toBeFocused()

  await tabTo(isOn('Map Config'))
  await page.keyboard.press('Enter')
  const panel = new ConfigurationPanel(page)
  await expect(panel.latitude).toBeVisible()
  await tabTo(() => panel.latitude.evaluate((input) => input === document.activeElement))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('36.5')
  await expect(panel.changes).toHaveText('Unsaved: Center')
  await tabTo(isOn('Apply Settings'))
  await page.keyboard.press('Enter')
  await expect(panel.changes).toHaveText('No unsaved changes')
  await panel.latitude.fill('36.6')
  await page.getByRole('button', { name: 'Apply Settings' }).press('Enter')
  await expect(panel.changes).toHaveText('No unsaved changes')
  await page.getByRole('button', { name: 'Versions', exact: true }).press('Enter')
  const restore = page.getByRole('button', { name: 'Restore version 1' })
  await restore.press('Enter')
  await expect(panel.latitude).toHaveValue('36.5')
  // It was disabled while the version was restored.
  await expect(restore).toBeFocused()

  await tabTo(isOn('Map Features'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const table = new FeatureTable(page)
  await expect(table.row('Smoke over the ridge')).toBeVisible()
  await tabTo(isOn('Features'))
  await page.keyboard.press('ArrowDown')
  for (let column = 0; column < 2; column += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await expect(table.statusOf('Old well')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(table.statusOf('Smoke over the ridge')).toBeFocused()
  await page.keyboard.press('r')
  await expect(area.toast('‘Smoke over the ridge’: resolved')).toBeVisible()
  // The row moved to the end of the list: its status control must not keep the focus.
  await expect(table.row('Smoke over the ridge')).toBeHidden()
  await expect(table.grid).toBeFocused()
  await page.keyboard.press('o')
  await expect(table.grid).toBeFocused()
  await expect(table.statusOf('Old well')).toHaveValue('maintenance')
  await tabTo(async () => !(await table.grid.evaluate((grid) => grid.contains(document.activeElement))))
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Map surface/)
  await table.scrollTo(1)
  await expect(table.row('Lot 1')).toBeHidden()
  await table.choose('Sort', 'Kind')
  await expect(table.names().first()).toHaveText('Old well')
})
