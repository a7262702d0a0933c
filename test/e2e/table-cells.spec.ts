import type { Locator, Route } from '@playwright/test'
import { asset, parcel, pointAt, squareAt, type TestFeature } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import type { ConfigArea } from './config-area.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

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
  const chosen = ['Kind', 'Name', 'Type', 'Severity', 'Status', 'Date', 'Parcel', 'Area', 'Owner']
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

test.describe('with a conflicting save', () => {
  test.use({ toleratesNetworkFailures: true })

  test('edits cells like a spreadsheet and undoes it', async ({ area, given, page, server }) => {
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

    await page.keyboard.type('Dora')
    await expect(table.editor('Owner')).toHaveValue('Dora')
    await page.keyboard.press('Escape')
    await expect(cell).toHaveText('Ann')
    await expect(table.grid).toBeFocused()

    await page.keyboard.type('Dora')
    await page.keyboard.press('Enter')
    await expect(cell).toHaveText('Dora')
    const below = table.cellAt('Lot 2', 'owner')
    await expect(table.grid).toHaveAttribute('aria-activedescendant', (await below.getAttribute('id')) ?? '')
    await area.toast('‘Lot 1’ is saved').getByRole('button', { name: 'Undo' }).click()
    await expect(cell).toHaveText('Ann')
    await table.grid.focus()

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

    await page.keyboard.press('Home')
    for (let column = 0; column < 4; column += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByText('A parcel has no status.', { exact: true })).toBeVisible()

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
    const conflict = table.grid.getByRole('group', { name: 'Owner: mine or theirs?' })
    await expect(conflict).toContainText('Theo')
    await isAccessible(page)
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await expect(below).toHaveText('Mine')
  })
})

test.describe('while saves are pending', () => {
  test.use({ toleratesNetworkFailures: true })

  test('keeps typing in several cells while saves arrive in order', async ({ area, given, page, server }) => {
    const { mapId, table } = await openOwners({ area, given, page })
    const release = await holdSaves(page)
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') answers.push(response.status())
    })
    // The details of the row have not loaded when the next cell is typed.
    await table.cellAt('Lot 1', 'owner').click()
    await page.keyboard.type('Dora\nEmil\nFritz\n')
    const cells = ['Lot 1', 'Lot 2', 'Lot 3'].map((name) => table.cellAt(name, 'owner'))
    for (const [index, owner] of ['Dora', 'Emil', 'Fritz'].entries()) {
      await expect(cells[index] as Locator).toHaveText(owner)
      await expect(cells[index] as Locator).toHaveAttribute('aria-busy', 'true')
    }
    await expect(table.grid).toBeFocused()
    await isAccessible(page)
    await table.cellAt('Lot 1', 'owner').click()
    await page.keyboard.type('Dorothea')
    await page.keyboard.press('Tab')
    await expect(table.editor('Buildings')).toBeFocused()
    await page.keyboard.type('4')
    await page.keyboard.press('ArrowDown')
    await expect(cells[0] as Locator).toHaveText('Dorothea')
    await expect(table.cellAt('Lot 1', 'buildings')).toHaveText('4')
    await expect(table.grid).toHaveAttribute(
      'aria-activedescendant',
      (await table.cellAt('Lot 2', 'buildings').getAttribute('id')) ?? '',
    )
    const lists = '**/api/maps/*/features?*'
    const listed = Promise.withResolvers<void>()
    await page.route(lists, async (route) => {
      await listed.promise
      return route.continue()
    })
    release()
    await expect(table.grid.locator('[aria-busy=true]')).toHaveCount(0)
    for (const [index, owner] of ['Dorothea', 'Emil', 'Fritz'].entries())
      await expect(cells[index] as Locator).toHaveText(owner)
    listed.resolve()
    await page.unroute(lists)
    await expect(cells[0] as Locator).toHaveText('Dorothea')
    await expect(table.cellAt('Lot 1', 'buildings')).toHaveText('4')
    expect(answers).toEqual([200, 200, 200, 200, 200])
    const rosa = new Records(page, server)
    expect(await rosa.saved(mapId, 'p1')).toMatchObject({ owner: 'Dorothea', buildings: 4, version: 4 })
    expect(await rosa.saved(mapId, 'p3')).toMatchObject({ owner: 'Fritz', version: 2 })
  })

  test('keeps the typed value of a refused save and links back to its cell', async ({
    area,
    given,
    page,
    server,
  }) => {
    const { mapId, table } = await openOwners({ area, given, page })
    const release = await holdSaves(page, (route) =>
      route.request().url().endsWith('/p1') ? route.abort() : route.continue(),
    )
    const refused = table.cellAt('Lot 1', 'owner')
    await refused.click()
    await page.keyboard.type('Dora\nEm')
    await expect(table.editor('Owner')).toHaveValue('Em')
    release()
    const notice = page.getByRole('status', { name: 'Not saved' })
    await expect(notice).toContainText('‘Lot 1’, Owner: not saved. The server cannot be reached.')
    await page.keyboard.type('il')
    await expect(table.editor('Owner')).toHaveValue('Emil')
    await expect(refused).toHaveAttribute('aria-invalid', 'true')
    await expect(refused).toContainText('Dora')
    await isAccessible(page)
    await page.keyboard.press('Enter')
    await expect(table.cellAt('Lot 2', 'owner')).toHaveText('Emil')
    await expect(table.cellAt('Lot 2', 'owner')).not.toHaveAttribute('aria-busy')

    const dialogOpens = page.waitForEvent('dialog')
    const reloaded = page.reload()
    await (await dialogOpens).accept()
    await reloaded
    await notice.getByRole('button', { name: 'Go to it: ‘Lot 1’, Owner' }).click()
    await expect(table.editor('Owner')).toBeFocused()
    await expect(table.editor('Owner')).toHaveValue('Dora')
    await expect(table.grid.getByRole('alert')).toHaveText('The server cannot be reached.')

    await page.keyboard.press('Enter')
    await expect(table.editor('Owner')).toHaveValue('Dora')
    await expect(table.editor('Owner')).toBeFocused()
    await page.unroute(saves)
    await page.keyboard.press('Enter')
    await expect(notice).toBeEmpty()
    await expect(refused).toHaveText('Dora')
    await expect(refused).not.toHaveAttribute('aria-busy')
    expect(await new Records(page, server).saved(mapId, 'p1')).toMatchObject({ owner: 'Dora' })

    await table.cellAt('Lot 3', 'buildings').dblclick()
    await page.keyboard.type('two')
    await refused.click()
    await expect(notice).toContainText('‘Lot 3’, Buildings: not saved. Must be a whole number of 0 or more')
    await table.cellAt('Lot 3', 'buildings').dblclick()
    await expect(table.editor('Buildings')).toHaveValue('two')
    await page.keyboard.press('Escape')
    await expect(notice).toBeEmpty()
    await expect(table.cellAt('Lot 3', 'buildings')).toHaveText('–')

    await table.cellAt('Lot 3', 'buildings').dblclick()
    await page.keyboard.type('two')
    await refused.click()
    await area.button('Logout').click()
    const warning = page.getByRole('dialog', { name: 'Unsaved changes' })
    await expect(warning.getByRole('listitem')).toHaveText('‘Lot 3’: Buildings')
    await warning.getByRole('button', { name: 'Stay' }).click()
    await notice.getByRole('button', { name: 'Drop ‘Lot 3’, Buildings' }).click()
    await expect(notice).toBeEmpty()
    await expect(table.cellAt('Lot 3', 'buildings')).toHaveText('–')
  })
})

const saves = '**/api/maps/*/features/*'

/** Blocks saves until the returned function is called. */
async function holdSaves(page: Page, then = (route: Route) => route.continue()): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(saves, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await promise
    return then(route)
  })
  return resolve
}

async function openOwners({ area, given, page }: Opened): Promise<{ mapId: string; table: FeatureTable }> {
  await page.setViewportSize({ width: 1280, height: 720 })
  const mapId = await given(features)
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.filter('Kind').selectOption('Parcels')
  await area.button('Columns').click()
  for (const label of ['Owner', 'Buildings']) await page.getByLabel(label, { exact: true }).check()
  await page.keyboard.press('Escape')
  await table.sortBy('Name', 'ascending')
  await table.row('Lot 1').waitFor()
  return { mapId, table }
}
type Opened = {
  area: ConfigArea
  given(features: TestFeature[]): Promise<string>
  page: Page
}

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
  await scrollTo(1e6)
  await expect(table.grid.locator('[aria-rowindex="151"]')).toBeVisible()
  await scrollTo(0)
  await expect(editor).toHaveValue('Half a name')
  await expect(editor).toBeInViewport()
})
