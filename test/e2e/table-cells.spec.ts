import { asset, parcel, pointAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann', geometry: squareAt(-900, 0, 300) }),
  parcel({ id: 'p2', name: 'Lot 2', owner: 'Bob', geometry: squareAt(0, 0, 300) }),
  parcel({ id: 'p3', name: 'Lot 3', owner: 'Cleo', geometry: squareAt(900, 0, 300) }),
  asset({ id: 'a1', name: 'Well', geometry: pointAt(0, 900) }),
]

test('chooses, moves and resizes columns by mouse and keyboard, and remembers them', async ({
  area,
  given,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await area.openSection(await given(features), 'features', 'administrator')
  const table = new FeatureTable(page)
  const heads = table.grid.getByRole('columnheader')
  await expect(table.row('Lot 1')).toBeVisible()
  await area.button('Columns').click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  await menu.getByLabel('Owner', { exact: true }).check()
  await menu.getByLabel('Area', { exact: true }).focus()
  await page.keyboard.press('Space')
  await menu.getByRole('button', { name: 'Move Area up', exact: true }).focus()
  await page.keyboard.press('Enter')
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  const standard = ['Select all', 'Name', 'Status', 'Severity', 'Type', 'Date', 'Parcel']
  const chosen = [...standard, 'Area', 'Owner']
  await expect(heads).toHaveText(chosen)
  await expect(table.cellAt('Lot 2', 'owner')).toHaveText('Bob')
  await expect(table.cellAt('Well', 'owner')).toHaveText('–')
  await isAccessible(page)

  await expect(table.cellAt('Lot 2', 'owner')).not.toBeInViewport({ ratio: 0.9 })
  await table.grid.focus()
  await page.keyboard.press('End')
  await expect(table.cellAt('Lot 2', 'owner')).toBeInViewport({ ratio: 0.9 })
  await expect(table.cell('Lot 2', 'Name')).toBeInViewport({ ratio: 0.9 })

  const owner = heads.filter({ hasText: 'Owner' })
  await owner.dragTo(heads.filter({ hasText: 'Area' }))
  const moved = [...chosen.slice(0, 7), 'Owner', 'Area']
  await expect(heads).toHaveText(moved)
  await table.widthOf('Owner').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '252')
  const edge = await table.widthOf('Owner').boundingBox()
  if (!edge) throw new Error('The edge has no place.')
  await page.mouse.move(edge.x + 4, edge.y + 10)
  await page.mouse.down()
  await page.mouse.move(edge.x + 44, edge.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '292')

  await page.reload()
  await expect(heads).toHaveText(moved)
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '292')
  await expect(table.cellAt('Lot 2', 'owner')).toHaveText('Bob')
  await area.button('Columns').click()
  await menu.getByRole('button', { name: 'Standard columns' }).click()
  await expect(heads).toHaveText(standard)
})

test('keeps text typed into a cell while scrolling', async ({ area, given, page }) => {
  const mapId = await given(Array.from({ length: 150 }, (_, index) => parcel({ id: `p${index}` })))
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.grid.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('Half a na')
  const editor = table.editor('Name')
  await expect(editor).toHaveValue('Half a na')
  await expect(editor).toBeFocused()
  await page.keyboard.type('me')
  const scrollTo = (top: number) =>
    table.grid.locator('..').evaluate((box, to) => box.scrollTo({ top: to }), top)
  // More rows load at the end.
  await expect
    .poll(async () => {
      await scrollTo(1e6)
      return table.grid.locator('[aria-rowindex="151"]').isVisible()
    })
    .toBe(true)
  await scrollTo(0)
  await expect(editor).toHaveValue('Half a name')
  await expect(editor).toBeInViewport()
})
