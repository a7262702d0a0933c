import { asset, incident, parcel } from '../test-map.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { ConfigArea } from './config-area.driver.ts'
import { expect, test } from './fixtures.ts'

test('finds a client by name or place, and its whole card opens the map', async ({ area, given, page }) => {
  const mapId = await given([parcel({ id: 'p1' }), parcel({ id: 'p2' })], {
    name: 'Peña Blanca Ranches',
    location: 'Río Rico, Sonora',
  })
  await area.signInByHand('/config')
  const selection = new ClientSelection(page)
  await expect(selection.heading).toBeVisible()
  await expect(page).toHaveTitle('Rural Land Parcel Incident Map CMS')
  await expect(page.getByRole('banner')).toHaveText('Rural Land Parcel Incident Map CMS')
  await expect(page.getByText('Select a client to view their land parcels and incidents')).toBeVisible()
  for (const [name, picture] of [
    ['Pine Ridge POA', /thumbnail$/],
    ['Huckleberry Flats Landowners', /thumbnail\?land=\d+$/],
  ] as const) {
    await expect(selection.card(name).locator('img')).toBeVisible()
    await expect(selection.card(name).locator('img')).toHaveAttribute('src', picture)
  }

  const card = selection.card('Peña Blanca Ranches')
  for (const sought of ['pena bl', 'RIO RICO']) {
    await selection.searchBox.fill(sought)
    await expect(selection.count).toHaveText('1 client')
    await expect(card).toBeVisible()
  }
  await expect(card).toContainText('Río Rico, Sonora')
  await expect(card).toContainText(/2 properties · Last updated \w{3} \d{1,2}, 20\d\d/)
  await selection.searchBox.fill('no such place')
  await expect(page.getByText('No clients found matching "no such place".', { exact: true })).toBeVisible()
  await expect(selection.cards).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(card).toBeVisible()
  await expect(selection.searchBox).toBeFocused()

  await page.goto('/config/map?text=pena+blanca')
  await expect(selection.searchBox).toHaveValue('pena blanca')
  await expect(selection.count).toHaveText('1 client')
  await expect(selection.select('Peña Blanca Ranches')).toHaveText('Select')
  await expect(selection.select('Peña Blanca Ranches')).toHaveAttribute('href', `/config/map/${mapId}/map`)
  await card.click({ position: { x: 30, y: 30 } })
  await expect(page).toHaveURL(new RegExp(`/config/map/${mapId}/map`))
  await expect(page.getByRole('heading', { name: 'Peña Blanca Ranches' })).toBeVisible()
})

test('sorts clients by open work and shows totals', async ({ area, given, page }) => {
  const quiet = await given([parcel({ id: 'p1' }), parcel({ id: 'p2' })], { name: 'Lookout Quiet' })
  const busy = await given(
    [
      incident({ id: 'i1', severity: 'high' }),
      incident({ id: 'i2', severity: null }),
      asset({ id: 'a1', status: 'offline' }),
    ],
    { name: 'Lookout Zealous' },
  )
  await page.setViewportSize({ width: 1280, height: 720 })
  await area.signInTo('/config/map?text=lookout')
  const selection = new ClientSelection(page)
  await expect(selection.card('Lookout Quiet').locator('img')).toHaveAttribute(
    'src',
    new RegExp(`^/api/clients/${quiet}/thumbnail\\?land=\\d+$`),
  )
  await expect(selection.card('Lookout Zealous').locator('img')).toHaveCount(0)
  const names = selection.cards.getByRole('heading')
  await expect(names).toHaveText(['Lookout Quiet', 'Lookout Zealous'])
  await page.getByLabel('Sort by').selectOption('Sort by: Open incidents')
  await expect(names).toHaveText(['Lookout Zealous', 'Lookout Quiet'])
  await page.getByRole('radiogroup', { name: 'View' }).getByText('List', { exact: true }).click()
  const rows = page.getByRole('table').getByRole('row')
  const cells = (texts: string[]) => texts.map((text) => new RegExp(`^${text}$`))
  await expect(rows.nth(1).getByRole('cell')).toHaveText(cells(['2', '1 High1 Unknown', '1 Offline', '', '']))
  await expect(rows.nth(1)).toContainText('All 2 clients')
  await expect(rows.nth(2)).toContainText('Lookout Zealous')
  await expect(rows.nth(3).getByRole('cell')).toHaveText([/^2$/, 'None', 'None', /20\d\d$/, ''])
  await page.reload()
  await expect(rows.nth(2)).toContainText('Lookout Zealous')
  await expect(page.getByLabel('Sort by')).toHaveValue('incidents')
  await selection.select('Lookout Zealous').click()
  await expect(page).toHaveURL(new RegExp(`/config/map/${busy}/map`))
})

test('adds a client once on double-click, renames it, and updates other pages', async ({
  area,
  page,
  otherPage,
  server,
}) => {
  const selection = new ClientSelection(page)
  const others = new ClientSelection(otherPage)
  await new ConfigArea(otherPage, server).signInTo('/config/map')
  await area.signInTo('/config/map')
  await selection.addButton.click()
  await selection.submit('Add client').click()
  await expect(selection.dialog).toContainText('must not be blank')
  await expect(selection.name).toHaveAttribute('aria-invalid', 'true')
  await selection.name.fill('Twice Told Ranch')
  await selection.location.fill('Bisbee, Arizona')
  await selection.submit('Add client').dblclick()
  await expect(page).toHaveURL(/\/config\/map\/twice-told-ranch\/map/)
  await expect(area.toast('Twice Told Ranch is added')).toBeVisible()
  await expect(page.getByText('This map is empty.')).toBeVisible()
  await expect(others.card('Twice Told Ranch')).toHaveCount(1)

  await area.places.getByRole('link', { name: 'Map Selection' }).click()
  await selection.choose('Twice Told Ranch', 'Rename or relocate')
  await selection.name.fill('  ')
  await selection.submit('Save').click()
  await expect(selection.dialog).toContainText('must not be blank')
  await selection.name.fill('Thrice Told Ranch')
  await selection.location.fill('Douglas, Arizona')
  await selection.submit('Save').click()
  await expect(area.toast('Thrice Told Ranch is saved')).toBeVisible()
  await expect(others.card('Thrice Told Ranch')).toContainText('Douglas, Arizona')
  await expect(others.card('Twice Told Ranch')).toHaveCount(0)
})

test('asks before closing the page with an unsaved new client', async ({ area, page }) => {
  const selection = new ClientSelection(page)
  await area.signInTo('/config/map')
  await selection.addButton.click()
  await selection.name.fill('Half Typed Ranch')
  const dialogOpens = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
  await expect(selection.name).toHaveValue('Half Typed Ranch')
})

// Refusals and missing maps are errors in the browser console.
test.describe('with refused requests', () => {
  test.use({ toleratesNetworkFailures: true })

  test('shows a conflict to the second user who renames a client', async ({
    area,
    given,
    page,
    otherPage,
    server,
  }) => {
    await given([], { name: 'Two Hands POA' })
    const mine = new ClientSelection(page)
    const theirs = new ClientSelection(otherPage)
    await area.signInTo('/config/map?text=hands')
    await new ConfigArea(otherPage, server).signInTo('/config/map?text=hands')
    await mine.choose('Two Hands POA', 'Rename or relocate')
    await theirs.choose('Two Hands POA', 'Rename or relocate')
    await mine.name.fill('My Hands POA')
    await theirs.name.fill('Their Hands POA')
    await theirs.submit('Save').click()
    await expect(page.locator('h2', { hasText: 'Their Hands POA' })).toBeVisible()
    await mine.submit('Save').click()
    await expect(mine.dialog.getByRole('alert')).toContainText('it is now ‘Their Hands POA’, Payson, Arizona')
    await expect(mine.name).toHaveValue('My Hands POA')
    await mine.submit('Save').click()
    await expect(theirs.card('My Hands POA')).toBeVisible()
  })

  test('closes the map of an archived client and reopens it', async ({
    area,
    given,
    page,
    otherPage,
    visitor,
  }) => {
    const mapId = await given([parcel({ id: 'p1' })], { name: 'Shut Gate POA' })
    const selection = new ClientSelection(page)
    await area.signInTo('/config/map?text=shut')
    await selection.choose('Shut Gate POA', 'Archive')
    await expect(selection.card('Shut Gate POA')).toHaveCount(0)
    await expect(area.toast('Shut Gate POA is archived: its map is closed')).toBeVisible()
    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' })
    await undo.click()
    await expect(selection.card('Shut Gate POA')).toBeVisible()
    await expect(area.toast('Shut Gate POA is open again')).toBeVisible()
    await selection.choose('Shut Gate POA', 'Archive')
    await selection.show('Archived')
    await expect(selection.card('Shut Gate POA')).toContainText('Archived')
    await expect(selection.select('Shut Gate POA')).toHaveCount(0)

    await visitor.visit(`/map/${mapId}`)
    await expect(otherPage.getByRole('heading', { name: 'No such map' })).toBeVisible()
    await selection.choose('Shut Gate POA', 'Restore')
    await expect(selection.card('Shut Gate POA')).toHaveCount(0)
    await visitor.open(mapId)
    await visitor.hasCount('Parcels', 1)
  })

  test('closes an open map that another user archives', async ({ area, context, given, page, server }) => {
    const mapId = await given([parcel({ id: 'p1' })], { name: 'Far Gate POA' })
    await area.openConfiguration(mapId)
    const elsewhere = await context.newPage()
    const selection = new ClientSelection(elsewhere)
    await new ConfigArea(elsewhere, server).visit('/config/map?text=far+gate')
    await selection.choose('Far Gate POA', 'Archive')
    await expect(page.getByRole('heading', { name: 'No such map' })).toBeVisible()
    await expect(page.getByRole('form', { name: 'Map Configuration' })).toBeHidden()
    await page.getByRole('link', { name: 'To client selection' }).click()
    await expect(new ClientSelection(page).heading).toBeVisible()
  })
})
