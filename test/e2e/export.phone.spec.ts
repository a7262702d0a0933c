import { readFileSync } from 'node:fs'
import { asset, parcel, pointAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'

const features = [
  asset({ id: 'a1', name: 'Well 2', geometry: pointAt(0, 600) }),
  parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(-1500, 0, 300) }),
]

test('exports the list from its filters on a phone without moving the sheet', async ({
  map,
  given,
  page,
}) => {
  await map.open(await given(features), { search: { tab: 'parcel' } })
  const sheet = new PhoneSheet(page)
  await sheet.isAt('half')
  await page.getByRole('button', { name: 'Layers & Filters' }).tap()
  await sheet.filters.getByRole('button', { name: 'Export' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Export 1 parcel' })
  await expect(dialog.getByRole('radio', { name: 'Excel' })).toBeChecked()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(sheet.filters.getByRole('button', { name: 'Export' })).toBeFocused()
  await sheet.filters.getByRole('button', { name: 'Export' }).tap()
  await dialog.getByRole('radio', { name: 'GeoJSON', exact: true }).tap()
  const coming = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Export' }).tap()
  const { features: exported } = JSON.parse(readFileSync(await (await coming).path(), 'utf8'))
  expect(exported.map(({ id }: { id: string }) => id)).toEqual(['p1'])
  await expect(dialog).toBeHidden()
  await sheet.filters.getByRole('button', { name: 'Close' }).tap()
  await sheet.isAt('half')
})
