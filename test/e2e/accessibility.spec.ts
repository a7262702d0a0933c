import { applyConfiguration, placeAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, type Page, test } from './fixtures.ts'

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
  await page.locator('details').getByText('Legend').click()
  await isAccessible(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  expect(
    await transitionsOf(page, () => page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })),
  ).toEqual([])

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
  await expect(viewer.notices).toContainText('Theirs has the name ‘Theirs’')
  await drawing.chooseFile('photo.json', 'not JSON at all')
  await expect(drawing.problem).toBeVisible()
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
