import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { asset, parcel, pointAt, squareAt } from './test-map.ts'

const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann', geometry: squareAt(-900, 0, 300) }),
  parcel({ id: 'p2', name: 'Lot 2', owner: 'Bob', geometry: squareAt(0, 0, 300) }),
  parcel({ id: 'p3', name: 'Lot 3', owner: 'Cleo', geometry: squareAt(900, 0, 300) }),
  asset({ id: 'a1', name: 'Well', geometry: pointAt(0, 900) }),
]

test('columns are chosen, moved and sized, by mouse and keys, and remembered', async ({
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
  // With the keys.
  await menu.getByLabel('Area', { exact: true }).focus()
  await page.keyboard.press('Space')
  await menu.getByRole('button', { name: 'Move Area up', exact: true }).focus()
  await page.keyboard.press('Enter')
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  const chosen = ['Kind', 'Name', 'Type', 'Severity', 'Status', 'Date', 'Parcel', 'Area', 'Owner']
  await expect(heads).toHaveText(chosen)
  await expect(table.cellAt('Lot 2', 'owner')).toHaveText('Bob')
  await expect(table.cellAt('Well', 'owner')).toHaveText('–')
  await isAccessible(page)

  // The sign and the name stay while the rest goes by.
  await table.grid.evaluate((grid) => grid.parentElement?.scrollTo({ left: 10_000 }))
  await expect(table.cellAt('Lot 2', 'owner')).toBeInViewport({ ratio: 0.9 })
  await expect(table.cell('Lot 2', 'Name')).toBeInViewport({ ratio: 0.9 })

  const owner = heads.filter({ hasText: 'Owner' })
  await owner.dragTo(heads.filter({ hasText: 'Area' }))
  const moved = [...chosen.slice(0, 7), 'Owner', 'Area']
  await expect(heads).toHaveText(moved)
  await table.widthOf('Owner').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '160')
  const edge = await table.widthOf('Owner').boundingBox()
  if (!edge) throw new Error('The edge has no place.')
  await page.mouse.move(edge.x + 4, edge.y + 10)
  await page.mouse.down()
  await page.mouse.move(edge.x + 44, edge.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '200')

  await page.reload()
  await expect(heads).toHaveText(moved)
  await expect(table.widthOf('Owner')).toHaveAttribute('aria-valuenow', '200')
  await expect(table.cellAt('Lot 2', 'owner')).toHaveText('Bob')
  await area.button('Columns').click()
  await menu.getByRole('button', { name: 'Standard columns' }).click()
  await expect(heads).toHaveText(chosen.slice(0, 7))
})

test.describe('with a save that others were quicker than', () => {
  test.use({ toleratesNetworkFailures: true })

  test('cells are edited like those of a spreadsheet, and taken back', async ({
    area,
    given,
    page,
    server,
  }) => {
    await page.setViewportSize({ width: 1280, height: 720 })
    const mapId = await given(features)
    await area.openSection(mapId, 'features', 'administrator')
    const table = new FeatureTable(page)
    await table.filter('Kind').selectOption('Parcels')
    await area.button('Columns').click()
    for (const label of ['Owner', 'Area']) await page.getByLabel(label, { exact: true }).check()
    await page.keyboard.press('Escape')
    await table.sortBy('Name', 'ascending')
    await table.grid.focus()
    for (let column = 0; column < 7; column += 1) await page.keyboard.press('ArrowRight')
    const cell = table.cellAt('Lot 1', 'owner')
    await expect(table.grid).toHaveAttribute('aria-activedescendant', (await cell.getAttribute('id')) ?? '')
    await expect(cell).toHaveAttribute('aria-colindex', '8')

    // What is typed replaces what was there; Esc takes it back.
    await page.keyboard.type('Dora')
    await expect(table.editor('Owner')).toHaveValue('Dora')
    await page.keyboard.press('Escape')
    await expect(cell).toHaveText('Ann')
    await expect(table.grid).toBeFocused()

    // Enter saves and goes down.
    await page.keyboard.type('Dora')
    await page.keyboard.press('Enter')
    await expect(cell).toHaveText('Dora')
    await expect(area.toast('‘Lot 1’ is saved')).toBeVisible()
    const below = table.cellAt('Lot 2', 'owner')
    await expect(table.grid).toHaveAttribute('aria-activedescendant', (await below.getAttribute('id')) ?? '')

    // Tab saves and edits the next one; what is refused stays as it was typed.
    await page.keyboard.press('F2')
    await expect(table.editor('Owner')).toHaveValue('Bob')
    await page.keyboard.type('Bobby')
    await page.keyboard.press('Tab')
    await expect(below).toHaveText('Bobby')
    await expect(table.editor('Area')).toBeFocused()
    await page.keyboard.type('wide')
    await page.keyboard.press('Enter')
    await expect(table.grid.getByRole('alert')).toHaveText('Must be a number, such as 12.5')
    await expect(table.editor('Area')).toHaveValue('wide')
    await isAccessible(page)
    await page.keyboard.press('Escape')

    // What cannot be edited says why.
    await page.keyboard.press('Home')
    for (let column = 0; column < 4; column += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByText('A parcel has no status.', { exact: true })).toBeVisible()

    await area.toast('‘Lot 1’ is saved').getByRole('button', { name: 'Undo' }).click()
    await expect(cell).toHaveText('Ann')

    // Somebody else changes the same while it is typed.
    await below.dblclick()
    await expect(table.editor('Owner')).toHaveValue('Bobby')
    let isOvertaken = false
    await page.route('**/api/maps/*/features/p2', async (route) => {
      if (isOvertaken || route.request().method() !== 'PATCH') return route.continue()
      isOvertaken = true
      await server.database.write((transaction) =>
        transaction
          .updateTable('features')
          .set({ fields: JSON.stringify({ owner: 'Theo' }), version: 3 })
          .where('map_id', '=', mapId)
          .where('id', '=', 'p2')
          .execute(),
      )
      return route.continue()
    })
    await page.keyboard.type('Mine')
    await page.keyboard.press('Enter')
    const question = table.grid.getByRole('group', { name: 'Owner: mine or theirs?' })
    await expect(question).toContainText('Theo')
    await isAccessible(page)
    await question.getByRole('button', { name: 'Keep mine' }).click()
    await expect(below).toHaveText('Mine')
  })
})

test('what is typed into a cell stays, wherever one scrolls to meanwhile', async ({ area, given, page }) => {
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
  await scrollTo(1e6)
  await expect(table.grid.locator('[aria-rowindex="151"]')).toBeVisible()
  await scrollTo(0)
  await expect(editor).toHaveValue('Half a name')
  await expect(editor).toBeInViewport()
})
