import { applyConfiguration, asset, parcel } from '#test/databases/test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'
import { SignInPages } from './sign-in.driver.ts'

test.use({ toleratesNetworkFailures: true })

const features = [parcel({ id: 'p1', owner: 'Ada Byron' }), asset({ id: 'a1', name: 'Old well' })]

test('signing out in one tab hides staff data in others and keeps unsaved settings', async ({
  area,
  context,
  given,
  page,
  server,
}) => {
  const mapId = await given(features)
  await applyConfiguration(server.database, mapId, { showPersonalData: false })
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')

  const details = new MapPage(await context.newPage(), server.url)
  await details.visit(`/map/${mapId}?select=p1`)
  await expect(details.fact('Owner')).toHaveText('Ada Byron')
  const viewer = new StaffViewer(await context.newPage(), server)
  await viewer.open(mapId)
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()

  const last = new ConfigArea(await context.newPage(), server)
  await last.visit('/config/map')
  await last.button('Logout').click()
  await expect(last.page.getByRole('heading', { name: 'Signed out' })).toBeVisible()

  await expect(page.getByRole('heading', { name: 'You have been signed out' })).toBeVisible()
  await expect(page.getByText('Settings: Center')).toBeVisible()
  await expect(panel.latitude).toHaveCount(0)
  await expect(area.sidebar).toHaveCount(0)
  const notice = (shown: MapPage) => shown.page.getByRole('status').filter({ hasText: 'You are signed out' })
  await expect(notice(details)).toBeVisible()
  await expect(details.fact('Owner')).toHaveText('–')
  await expect(notice(viewer.map)).toBeVisible()
  await expect(viewer.panel).toHaveCount(0)

  await page.getByRole('link', { name: 'Sign in again' }).click()
  await new SignInPages(page).person('Grace Whitfield').click()
  await expect(panel.latitude).toHaveValue('36')
  await expect(panel.changes).toHaveText('Unsaved: Center')
})

test('keeps typed drawing text when the session ends in another tab', async ({
  context,
  given,
  page,
  server,
}) => {
  const mapId = await given([])
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.select('Rectangle')
  await viewer.form.getByLabel('Name').fill('Pond')

  const elsewhere = new ConfigArea(await context.newPage(), server)
  await elsewhere.visit('/config/map')
  await elsewhere.button('Logout').click()
  await expect(page.getByRole('status').filter({ hasText: 'You are signed out' })).toContainText(
    'Name and note of ‘Unnamed rectangle’: stored in this tab until you sign in again.',
  )
  await expect(viewer.panel).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await new SignInPages(page).person('Grace Whitfield').click()
  await expect(viewer.count).toHaveText('1 drawing')
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])
})
