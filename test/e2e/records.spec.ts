import { asset, incident, parcel, pointAt, squareAt, type TestFeature } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'
import { blockLiveUpdates, SessionEnded } from './sign-in.driver.ts'

const features: TestFeature[] = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie', buildings: 2, area: 12 }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(900, 0, 400) }),
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(20, 0) }),
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire', date: '2026-01-15T12:00:37Z' }),
  {
    id: 'g1',
    kind: 'feature',
    name: 'Spring',
    description: '',
    status: 'operational',
    featureType: 'water',
    type: 'water',
    geometry: pointAt(60, 0),
    metadata: [],
  } as TestFeature,
]

test('edits a record in place by mouse and undoes it', async ({ area, given, page, server, visitor }) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'p1')
  await expect(rosa.field('Name')).toBeFocused()
  await expect(rosa.count).toHaveText('No changes')
  await expect(rosa.field('Area')).toHaveAccessibleDescription(/measured on the map/)
  await rosa.field('Owner').fill('Bob Quackenbush')
  await rosa.form.getByLabel('Restrictions').fill('No fences')
  await rosa.field('Buildings').fill('two')
  await expect(rosa.count).toHaveText('3 changes')
  await rosa.button('Save').click()
  await expect(rosa.field('Buildings')).toBeFocused()
  await expect(rosa.field('Buildings')).toHaveAccessibleDescription(/Must be a whole number of 0 or more/)
  await isAccessible(page)
  await rosa.field('Buildings').fill('3')
  await rosa.save()
  await expect(rosa.edit).toBeFocused()
  await expect(rosa.map.fact('Owner')).toHaveText('Bob Quackenbush')
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({
    owner: 'Bob Quackenbush',
    buildings: 3,
    zoning: { type: '', restrictions: 'No fences' },
    area: 12,
  })
  await area.toast('‘Lot 1’ is saved').getByRole('button', { name: 'Undo' }).click()
  await expect(rosa.map.fact('Owner')).toHaveText('Ann Zabriskie')
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({ buildings: 2, zoning: null })

  const loaded: string[] = []
  visitor.page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await visitor.visit(`/map/${mapId}?tab=parcel&select=p1`)
  await visitor.hasDetailsOf('Lot 1')
  await visitor.row('Lot 2').click()
  await visitor.hasDetailsOf('Lot 2')
  await expect(visitor.details.getByRole('button', { name: /Edit|Remove/ })).toHaveCount(0)
  expect(loaded.filter((path) => /assets\/.*record/.test(path))).toEqual([])
})

test('edits by keyboard, keeps edits after a reload, and asks before leaving or signing out', async ({
  given,
  page,
  server,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.open(mapId, 'i1')
  await rosa.edit.focus()
  await page.keyboard.press('Enter')
  await expect(rosa.field('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(rosa.form).toBeHidden()
  await expect(rosa.edit).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rosa.field('Title')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Smoke, seen twice')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Gone by noon')
  await page.keyboard.press('Control+s')
  await expect(rosa.form).toBeHidden()
  await rosa.map.hasDetailsOf('Smoke, seen twice')
  // Unchanged times keep their seconds.
  expect(await rosa.saved(mapId, 'i1')).toMatchObject({
    description: 'Gone by noon',
    date: '2026-01-15T12:00:37.000Z',
  })

  await rosa.edit.click()
  await rosa.form.getByText('Resolved', { exact: true }).first().click()
  await rosa.field('Reported by').fill('Ann Zabriskie')
  await expect(rosa.count).toHaveText('2 changes')
  await page.keyboard.press('Escape')
  await expect(rosa.goOn).toHaveText('Go on: 2 changes')
  const dialogOpens = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await expect(rosa.field('Reported by')).toHaveValue('Ann Zabriskie')
  await expect(rosa.count).toHaveText('2 changes')

  await rosa.map.visit(`/map/${mapId}?select=p1`)
  await page.getByRole('link', { name: 'Configuration' }).first().click()
  await page.getByRole('link', { name: 'Map Selection' }).click()
  const leaving = page.getByRole('dialog', { name: 'Unsaved changes' })
  await expect(leaving).toContainText('‘Smoke, seen twice’')
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await rosa.area.button('Logout').click()
  await expect(leaving.getByRole('listitem')).toHaveText('‘Smoke, seen twice’: Status, Reported by')
  await leaving.getByRole('button', { name: 'Log out without saving' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Zabriskie')
})

test('merges edits of two users and asks about fields that both changed', async ({
  area,
  given,
  otherPage,
  page,
  server,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  const daniel = new Records(otherPage, server)
  await rosa.startEditing(mapId, 'p1')
  await rosa.field('Owner').fill('Bob Quackenbush')
  await daniel.startEditing(mapId, 'p1')
  await daniel.field('Buildings').fill('5')
  await daniel.save()
  await expect(rosa.form).toContainText(/Grace Whitfield \(.+\) changed Buildings\. It is in the form/)
  await expect(rosa.field('Buildings')).toHaveValue('5')
  await expect(rosa.count).toHaveText('1 change')

  await daniel.edit.click()
  await daniel.field('Owner').fill('Carla Quist')
  await daniel.field('Name').fill('Lot 1b')
  await daniel.save()
  const conflict = rosa.conflict('Owner')
  await expect(conflict).toContainText(/Grace Whitfield \(.+\) changed this, too, to: Carla Quist/)
  await isAccessible(page)
  await rosa.button('Save').click()
  await expect(conflict.getByRole('button', { name: 'Keep mine' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(conflict).toBeHidden()
  await rosa.save()
  await expect(
    area.toast('‘Lot 1b’ is saved, together with what others changed: Name, Buildings'),
  ).toBeVisible()
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({
    name: 'Lot 1b',
    owner: 'Bob Quackenbush',
    buildings: 5,
  })
})

test('removes a record with undo; discards edits and resumes them', async ({ area, given, page, server }) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'a1')
  await rosa.field('Parcel').fill('lot 2')
  await page.getByRole('option', { name: 'Lot 2' }).click()
  await expect(rosa.count).toHaveText('1 change')
  await rosa.button('Cancel').click()
  await expect(rosa.form).toBeHidden()
  await area.toast('1 change of ‘Old well’ dropped').getByRole('button', { name: 'Undo' }).click()
  await expect(rosa.field('Parcel')).toHaveValue('Lot 2')
  await rosa.save()
  await expect(rosa.map.fact('Parcel')).toHaveText('Lot 2')
  await rosa.edit.click()
  await rosa.field('Parcel').click()
  await page.getByRole('option', { name: 'Follows the place' }).click()
  await rosa.save()
  await expect(rosa.map.fact('Parcel')).toHaveText('Lot 1')

  await rosa.remove.click()
  await expect(rosa.map.details).toBeHidden()
  await expect.poll(() => rosa.saved(mapId, 'a1')).toBeNull()
  await area.toast('‘Old well’ is removed').getByRole('button', { name: 'Undo' }).click()
  await rosa.map.openTab('Assets')
  await rosa.map.row('Old well').click()
  await expect(rosa.map.fact('Parcel')).toHaveText('Lot 1')
})

test.describe('a refused save', () => {
  test.use({ toleratesNetworkFailures: true, sharesPage: false })

  test('keeps edits after a conflict, an ended session and a removed record', async ({
    area,
    context,
    given,
    page,
    server,
  }) => {
    const mapId = await given(features)
    const rosa = new Records(page, server)
    await blockLiveUpdates(page)
    await rosa.startEditing(mapId, 'a1')
    await rosa.field('Description').fill('Capped')
    await rosa.changeMeanwhile(mapId, 'a1', { status: 'offline' })
    await rosa.save()
    await expect(area.toast('‘Old well’ is saved, together with what others changed: Status')).toBeVisible()
    expect(await rosa.saved(mapId, 'a1')).toMatchObject({ description: 'Capped', status: 'offline' })
    await rosa.edit.click()
    await rosa.field('Description').fill('Capped in May')
    await rosa.changeMeanwhile(mapId, 'a1', { description: 'Capped in May' })
    await rosa.save()
    const same = area.toast(/‘Old well’ is saved\.$/)
    await expect(same).toBeVisible()
    await expect(same.getByRole('button', { name: 'Undo' })).toHaveCount(0)

    await rosa.edit.click()
    await rosa.field('Name').fill('Dry well')
    await rosa.changeMeanwhile(mapId, 'a1', { name: 'Shallow well' })
    await rosa.button('Save').click()
    await expect(rosa.conflict('Name')).toContainText('Shallow well')
    await rosa.conflict('Name').getByRole('button', { name: 'Take theirs' }).click()
    await expect(rosa.field('Name')).toHaveValue('Shallow well')
    await expect(rosa.count).toHaveText('No changes')

    await rosa.field('Name').fill('Dry well')
    await server.database.write((transaction) => transaction.deleteFrom('sessions').execute())
    await context.clearCookies()
    await rosa.button('Save').click()
    const ended = new SessionEnded(page)
    await expect(ended.dialog).toBeVisible()
    await expect(rosa.field('Name')).toHaveValue('Dry well')
    await ended.signInWithin(await ended.openWindow('Sign in again'))
    await expect(rosa.form).toBeHidden()
    await rosa.map.hasDetailsOf('Dry well')

    await rosa.edit.click()
    await rosa.field('Name').fill('Deep well')
    await rosa.removeMeanwhile(mapId, 'a1')
    await rosa.button('Save').click()
    await expect(rosa.form.getByRole('alert')).toContainText('Somebody has removed this item meanwhile.')
    await rosa.button('Put it back and save').click()
    await expect(rosa.form).toBeHidden()
    expect(await rosa.saved(mapId, 'a1')).toMatchObject({ name: 'Deep well' })

    await rosa.startEditing(mapId, 'g1')
    await rosa.field('Type').selectOption('Fire')
    await rosa.button('Save').click()
    await expect(rosa.field('Type')).toBeFocused()
    await expect(rosa.field('Type')).toHaveAccessibleDescription(/Must be one of water/)
  })
})
