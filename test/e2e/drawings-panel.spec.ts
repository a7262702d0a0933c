import { asset, placeAt, pointAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { SignInPages } from './sign-in.driver.ts'

let viewer: StaffViewer
let mapId: string
test.beforeEach(async ({ given, page, server }) => {
  mapId = await given([asset({ id: 'a1', name: 'Old well', geometry: pointAt(50, 50) })])
  viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
})

test('names and deletes drawings by keyboard', async ({ page }) => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.count.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(viewer.button('Export')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(viewer.form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Pond')
  await page.keyboard.press('Enter')
  await expect(viewer.count).toBeFocused()
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])
  await viewer.select('Pond')
  await page.keyboard.type('?')
  await expect(viewer.form.getByLabel('Name')).toHaveValue('Pond?')
  await page.keyboard.press('Escape')
  await expect(viewer.form).toBeHidden()
  await viewer.select('Pond')
  await expect(viewer.form.getByLabel('Name')).toHaveValue('Pond')
  expect((await viewer.saved(mapId))[0]?.version).toBe(2)
})

test('keeps typed text when the selection changes', async () => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.form.getByLabel('Note').fill('Ask the neighbours')
  await viewer.drawing.clickAt(placeAt(-200, -200))
  await expect(viewer.form).toBeHidden()
  await expect
    .poll(async () => (await viewer.saved(mapId)).map(({ note }) => note))
    .toEqual(['Ask the neighbours'])
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.form.getByLabel('Note').fill('Nobody')
  await viewer.form.getByRole('button', { name: 'Cancel' }).click()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await expect(viewer.form.getByLabel('Note')).toHaveValue('Ask the neighbours')
})

test('asks before closing the page or signing out with typed text, and keeps it', async ({ page }) => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.form.getByLabel('Name').fill('Pond')
  await viewer.map.button('Logout').click()
  const warning = page.getByRole('dialog', { name: 'Unsaved changes' })
  await expect(warning.getByRole('listitem')).toHaveText('Name and note of ‘Rectangle without a name’')
  await warning.getByRole('button', { name: 'Stay' }).click()
  await expect(viewer.form.getByLabel('Name')).toHaveValue('Pond')

  const dialogOpens = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])

  await viewer.select('Pond')
  await viewer.form.getByLabel('Name').fill('Lake')
  await viewer.map.button('Logout').click()
  await warning.getByRole('button', { name: 'Log out without saving' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  await page.getByRole('link', { name: 'Login' }).click()
  await new SignInPages(page).person('Grace Whitfield').click()
  await expect(page.getByRole('heading', { name: 'Client Selection' })).toBeVisible()
  expect((await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])
})

test('selects features inside a drawing, and the drawing by its edge or empty inside', async () => {
  await viewer.drawing.open('Rectangle')
  await viewer.drawing.clickAt(placeAt(-150, -150), placeAt(450, 450))
  await viewer.drawing.tool('Rectangle').click()
  await expect(viewer.count).toHaveText('1 drawing')
  await viewer.drawing.clickAt(placeAt(50, 50))
  await viewer.map.hasDetailsOf('Old well')
  await viewer.map.canvas.cameraIs({ ...placeAt(50, 50), zoom: 14 })
  await expect(viewer.form).toBeHidden()
  await viewer.drawing.clickAt(placeAt(50, -150))
  await expect(viewer.form).toBeVisible()
  await viewer.drawing.clickAt(placeAt(50, -400))
  await expect(viewer.form).toBeHidden()
  await viewer.drawing.clickAt(placeAt(350, 350))
  await expect(viewer.form).toBeVisible()
})

test('undo restores a deleted drawing with its name', async () => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.name('Pond')
  for (const action of ['Save', 'Clear all']) {
    await viewer.drawing.begin('Delete shapes')
    if (action === 'Save') await viewer.drawing.clickAt(placeAt(50, 50))
    await viewer.drawing.action(action).click()
    await expect.poll(async () => await viewer.saved(mapId)).toEqual([])
    await viewer.drawing.action('Undo').click()
    await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])
    await viewer.isSaved()
  }
})

for (const what of ['changed', 'deleted'] as const)
  test(`saves a shape ${what} during its first save`, async ({ page }) => {
    const letThrough = await viewer.holdSaving()
    await viewer.drawRectangle(0, 0)
    await viewer.drawRectangle(-200, 0)
    if (what === 'changed') await viewer.reshape(-200, 0)
    else {
      await viewer.drawing.begin('Delete shapes')
      await viewer.drawing.clickAt(placeAt(-150, 50))
    }
    await expect(viewer.drawing.action('Save')).toBeEnabled()
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    letThrough()
    await answered
    await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(2)
    await viewer.drawing.action('Save').click()
    await expect
      .poll(async () => (await viewer.saved(mapId)).map(({ version }) => version).toSorted())
      .toEqual(what === 'changed' ? [1, 2] : [1])
    await viewer.isSaved()
    await expect(viewer.count).toHaveText(what === 'changed' ? '2 drawings' : '1 drawing')
  })

test.describe('axe', () => {
  // Refusals are errors in the browser console.
  test.use({ toleratesNetworkFailures: true })

  test('has no accessibility violations in list, form and notices', async ({ page, server }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await viewer.drawRectangle(0, 0)
    await viewer.drawRectangle(-200, 0)
    await viewer.isSaved()
    await viewer.count.click()
    await expect(viewer.panel.getByRole('listitem')).toHaveCount(2)
    await isAccessible(page)
    await viewer.drawing.clickAt(placeAt(0, 50))
    await viewer.form.getByLabel('Name').fill('Mine')
    await server.database.write((transaction) =>
      transaction
        .updateTable('drawings')
        .set({ name: 'Theirs', version: 7 })
        .where('map_id', '=', mapId)
        .execute(),
    )
    await viewer.form.getByRole('button', { name: 'Save' }).click()
    await expect(viewer.notices).toContainText('Theirs has the name ‘Theirs’')
    await viewer.count.click()
    await isAccessible(page)
  })
})
