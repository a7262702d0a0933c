import { asset, pointAt, type TestFeature } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

const features: TestFeature[] = [
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(20, 0) }),
  asset({ id: 'a2', name: 'Hydrant', type: 'water', geometry: pointAt(60, 0) }),
]

test('managers add fields by keyboard, editors fill them, visitors see public ones', async ({
  area,
  given,
  page,
  server,
  visitor,
}) => {
  const mapId = await given(features)
  await area.signInTo(`/config/map/${mapId}/fields`)
  const assets = page.getByRole('region', { name: 'Assets' })
  const press = (key: string) => page.keyboard.press(key)

  await assets.getByRole('button', { name: 'Add a field to assets' }).focus()
  await press('Enter')
  await expect(assets.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Color')
  await press('Tab')
  await page.keyboard.type('Choice')
  await expect(assets.getByRole('combobox', { name: 'Holds' })).toHaveValue('choice')
  for (const [index, choice] of ['Red', 'Safety yellow'].entries()) {
    await assets.getByRole('button', { name: 'Add a choice' }).focus()
    await press('Enter')
    await assets.getByRole('textbox', { name: `Choice ${index + 1}` }).focus()
    await page.keyboard.type(choice)
  }
  const visibleTo = assets.getByRole('combobox', { name: 'Visible to' })
  await expect(visibleTo).toHaveValue('staff')
  await visibleTo.focus()
  await page.keyboard.type('Everyone')
  await expect(assets.getByRole('button', { name: 'Color' }).first()).toContainText('visible to everyone')
  await assets.getByRole('button', { name: 'Add a field to assets' }).focus()
  await press('Enter')
  await expect(assets.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Installed')
  await expect(visibleTo).toHaveValue('staff')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.focus()
  await press('Enter')
  const name = assets.getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveAccessibleDescription(/Is a field that every asset has already/)
  await isAccessible(page)
  await name.fill('Gate code')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Unsaved: Color, Gate code' })).toBeVisible()
  await assets.getByRole('button', { name: 'Move Gate code up' }).click()
  await save.click()
  await expect(page.getByText('No unsaved changes')).toBeVisible()

  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'a1')
  await rosa.form.getByLabel('Color').selectOption('Safety yellow')
  await rosa.form.getByLabel('Gate code').fill('Zebra 4711')
  await expect(rosa.count).toHaveText('2 changes')
  await rosa.save()
  await expect(rosa.map.fact('Gate code')).toHaveText('Zebra 4711')
  await expect(rosa.map.fact('Color')).toHaveText('Safety yellow')
  await expect(page.locator('dt', { hasText: 'Gate code' })).toContainText('staff only')
  expect(await rosa.saved(mapId, 'a1')).toMatchObject({
    own: { color: 'safetyYellow', gateCode: 'Zebra 4711' },
  })

  await visitor.visit(`/map/${mapId}?tab=asset&select=a1`)
  await visitor.hasDetailsOf('Old well')
  await expect(visitor.fact('Color')).toHaveText('Safety yellow')
  await expect(visitor.details).not.toContainText('Gate code')
  await visitor.visit(`/map/${mapId}?tab=asset&text=yellow`)
  await expect(visitor.row('Old well')).toBeVisible()
  await expect(visitor.row('Hydrant')).toHaveCount(0)
  await visitor.visit(`/map/${mapId}?tab=asset&text=zebra`)
  await expect(visitor.row('Old well')).toHaveCount(0)
})

test('edits own fields in table cells and copies them to other clients', async ({
  area,
  given,
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const own = await given(features, { name: 'Field Source' })
  const other = await given(features, { name: 'Field Target' })
  await area.signInTo(`/config/map/${own}/fields`)
  const text = { type: 'line', choices: [], isRequired: false, visibleTo: 'everyone' as const, help: null }
  const fields = {
    incident: [],
    asset: [
      { ...text, key: 'color', label: 'Color' },
      { ...text, key: 'flow', label: 'Flow', type: 'number' },
    ],
    parcel: [{ ...text, key: 'flow', label: 'Flow of the well' }],
    feature: [],
  }
  const headers = { origin: server.url, 'if-match': '"0"' }
  const address = (mapId: string) => `${server.url}/api/maps/${mapId}/fields`
  expect((await page.request.put(address(own), { headers, data: { fields } })).status()).toBe(200)
  const theirs = { ...fields, asset: [{ ...text, key: 'shade', label: 'COLOR' }], parcel: [] }
  expect((await page.request.put(address(other), { headers, data: { fields: theirs } })).status()).toBe(200)

  await area.button('Copy to others').click()
  const dialog = page.getByRole('dialog', { name: 'Copy fields to other clients' })
  await dialog.getByLabel('Search the clients to copy to').fill('field t')
  await dialog.getByLabel('All that are found').check()
  await dialog.getByRole('button', { name: 'Copy to 1 client' }).click()
  await expect(dialog.getByRole('listitem')).toHaveText(['Field Targethas these fields now'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const { fields: now } = await (await page.request.get(address(other))).json()
  expect(now).toEqual({ ...fields, asset: [...theirs.asset, fields.asset[1]] })

  await area.openSection(own, 'features', 'administrator')
  const table = new FeatureTable(page)
  await area.button('Columns').click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  await menu.getByLabel('Color', { exact: true }).check()
  await menu.getByLabel('Flow', { exact: true }).check()
  await page.keyboard.press('Escape')
  // Menus return the focus after they close.
  await expect(area.button('Columns')).toBeFocused()
  await table.cellAt('Hydrant', 'own.flow').dblclick()
  await page.keyboard.type('12.5')
  await page.keyboard.press('Enter')
  await expect(table.cellAt('Hydrant', 'own.flow')).toHaveText('12.5')
  await expect(area.toast('‘Hydrant’ is saved')).toBeVisible()
  await page.reload()
  await expect(table.cellAt('Hydrant', 'own.flow')).toHaveText('12.5')
  await expect(table.cellAt('Old well', 'own.flow')).toHaveText('–')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, sharesPage: false })

  test('removes and restores a field', async ({ area, given, page }) => {
    const mapId = await given(features)
    await area.signInTo(`/config/map/${mapId}/fields`)
    const parcels = page.getByRole('region', { name: 'Parcels' })
    await parcels.getByRole('button', { name: 'Add a field to parcels' }).click()
    await parcels.getByRole('textbox', { name: 'Name' }).fill('Key holder')
    await parcels.getByRole('checkbox', { name: 'Required' }).check()
    await isAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(360)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await parcels.getByRole('button', { name: 'Remove Key holder' }).click()
    await save.click()
    await parcels.getByRole('button', { name: 'Put Key holder back' }).click()
    await expect(parcels.getByRole('button', { name: 'Key holder Text · required' })).toBeVisible()
    await save.click()
    await expect(parcels.getByText('(removed)')).toHaveCount(0)
  })
})
