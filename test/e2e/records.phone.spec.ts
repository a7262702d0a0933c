import { parcel, placeAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'
import { smallTargets } from './touch-targets.ts'

test('shows the form on a phone as a sheet with large controls', async ({ given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1', name: 'Lot 1' })])
  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'p1')
  const sheet = page.getByRole('dialog', { name: 'Edit ‘Lot 1’' })
  await expect(sheet).toBeInViewport({ ratio: 1 })
  expect(await sheet.boundingBox()).toMatchObject({ width: 360, height: 740 })
  await expect(rosa.field('Purchased')).toHaveAttribute('type', 'date')
  expect(await smallTargets(page)).toEqual([])
  // Some phones zoom in on inputs with smaller text.
  await expect(rosa.field('Name')).toHaveCSS('font-size', '16px')
  await isAccessible(page)
  await rosa.field('Purchased').fill('2020-02-29')
  await rosa.field('Buildings').fill('2')
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toBeHidden()
  await rosa.goOn.tap()
  await expect(rosa.count).toHaveText('2 changes')
  await rosa.button('Save').tap()
  await expect(sheet).toBeHidden()
  await expect(rosa.map.fact('Buildings')).toHaveText('2')
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({ purchaseDate: '2020-02-29', buildings: 2 })
})

test('adds a record on a phone by tapping its place first', async ({ given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1', name: 'Lot 1' })])
  const rosa = new Records(page, server)
  await rosa.openMap(mapId)
  const touch = await DrawingByTouch.on(page)
  await rosa.startAdding('Asset')
  await touch.hasRoom()
  expect(await smallTargets(page)).toEqual([])
  await touch.tapAt(placeAt(20, 20))
  const sheet = page.getByRole('dialog', { name: 'New asset' })
  await expect(sheet).toBeInViewport({ ratio: 1 })
  await expect(sheet).toContainText('On Lot 1')
  expect(await sheet.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await sheet.getByLabel(/^Name/).fill('Culvert')
  await sheet.getByRole('button', { name: 'Move on map' }).tap()
  await rosa.isPlacing()
  await expect(sheet).toBeHidden()
  await touch.hasRoom()
  await touch.tapAt(placeAt(-30, 10))
  await expect(sheet.getByLabel(/^Name/)).toHaveValue('Culvert')
  await sheet.getByRole('button', { name: 'Add', exact: true }).tap()
  await expect(sheet).toBeHidden()
  await rosa.map.hasDetailsOf('Culvert')
})
