import { applyConfiguration, incident, parcel, placeAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, type Page, test } from './fixtures.ts'
import { Records } from './records.driver.ts'

// A conflict is an error in the browser console.
test.use({ toleratesNetworkFailures: true })

test('has no accessibility violations on the map and the viewer', async ({ map, given, page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  await map.open('pine-ridge')
  await expect(map.rows.first()).toBeVisible()
  await isAccessible(page)
  await map.openFilters()
  await map.rows.first().click()
  await expect(map.fact('Status')).toBeVisible()
  await page.getByRole('button', { name: 'Legend' }).click()
  await isAccessible(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  expect(
    await transitionsOf(page, () => page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })),
  ).toEqual([])
  for (const [path, part] of [
    ['/map/pine-ridge?text=nothing-of-the-kind&incidents=fire&off=parcel', map.emptyText],
    ['/map/pine-ridge?tab=asset&select=asset-3', map.fact('Installed')],
    ['/map/pine-ridge?tab=parcel&select=parcel-7', map.fact('Area')],
    ['/map/no-such-map', page.getByRole('heading', { name: 'Map not found' })],
    ['/webgl?tab=filters&incidents=fire&off=line&select=feature-7', map.fact('Status')],
  ] as const) {
    await map.visit(path)
    await expect(part).toBeVisible()
    await isAccessible(page)
  }

  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle'] })
  const viewer = new StaffViewer(page, server)
  const { drawing } = viewer
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-200, 0), placeAt(200, 0), placeAt(200, 200), placeAt(0, -150))
  await expect(drawing.refusal).toBeVisible()
  await isAccessible(page)
  await drawing.action('Finish').click()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(placeAt(150, 50))
  await isAccessible(page)
  await drawing.action('Cancel').click()
  await viewer.isSaved()
  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(150, 50))
  await isAccessible(page)
  await drawing.action('Cancel').click()
  await viewer.count.click()
  await expect(viewer.panel.getByRole('listitem')).toHaveCount(1)
  await isAccessible(page)
  await viewer.select('Polygon')
  await viewer.form.getByLabel('Name').fill('Mine')
  await server.database.write((transaction) =>
    transaction
      .updateTable('drawings')
      .set({ name: 'Theirs', version: 7 })
      .where('map_id', '=', mapId)
      .execute(),
  )
  await isAccessible(page)
  await viewer.form.getByRole('button', { name: 'Save' }).click()
  await expect(viewer.notices).toContainText('Their version has the name ‘Theirs’')
  await drawing.chooseFile('photo.json', 'not JSON at all')
  await expect(drawing.problem).toBeVisible()
  await isAccessible(page)
})

test('has no accessibility violations where staff add and edit records', async ({ given, page, server }) => {
  const mapId = await given([incident({ id: 'i1' }), parcel({ id: 'p1', name: 'Lot 1' })])
  const maya = new Records(page, server)
  await maya.openMap(mapId)
  const { x, y } = await maya.canvas.placeOnPage(placeAt(0, 0))
  await page.mouse.click(x, y, { button: 'right' })
  await expect(maya.map.place.getByRole('listitem')).toHaveCount(2)
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await maya.map.button('Add').click()
  await expect(page.getByRole('menuitem', { name: 'Incident' })).toBeFocused()
  await isAccessible(page)
  await page.getByRole('menuitem', { name: 'Parcel', exact: true }).click()
  await maya.isPlacing()
  await isAccessible(page)

  await maya.changeElsewhere(mapId, 'i1', 1, { description: 'Gone by noon' })
  await maya.open(mapId, 'i1')
  await maya.map.button('Timeline').click()
  await expect(page.getByText('Earlier version')).toBeVisible()
  await isAccessible(page)
  await maya.edit.click()
  await expect(maya.form).toBeVisible()
  await isAccessible(page)
  await maya.startEditing(mapId, 'p1')
  await maya.field('Buildings').fill('two')
  await maya.field('Name').fill('Lot 1b')
  await maya.button('Save').click()
  await expect(maya.field('Buildings')).toHaveAttribute('aria-invalid', 'true')
  await maya.changeElsewhere(mapId, 'p1', 1, { name: 'Lot 1 (split)', owner: 'Ann' })
  await expect(maya.conflict('Name')).toBeVisible()
  await isAccessible(page)
})

/** Returns the properties that are animated during `act`. */
async function transitionsOf(page: Page, act: () => Promise<void>): Promise<string[]> {
  const watched = await page.evaluateHandle(() => {
    const begun: string[] = []
    document.addEventListener('transitionrun', ({ propertyName }) => begun.push(propertyName))
    return begun
  })
  await act()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  return watched.evaluate(async (begun) => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    return begun
  })
}
