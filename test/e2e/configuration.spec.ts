import { readFile } from 'node:fs/promises'
import { isAccessible } from './axe.ts'
import { ConfigArea } from './config-area.driver.ts'
import { expect, test } from './fixtures.ts'
import { applyConfiguration, origin, parcel, placeAt } from './test-map.ts'

const land = [parcel({ id: 'p1' })]

test('what is applied is the map that everybody sees, without a reload', async ({
  area,
  given,
  page,
  visitor,
}) => {
  const mapId = await given(land)
  await visitor.open(mapId)
  await expect(visitor.baseMap('Terrain')).toBeVisible()

  const panel = await area.openConfiguration(mapId)
  const center = placeAt(90, -60)
  await panel.latitude.fill(String(center.lat))
  await panel.longitude.fill(String(center.lng))
  await panel.zoom.focus()
  await page.keyboard.press('ArrowLeft')
  await panel.mapType('Hybrid').check()
  await panel.defaultMapType.selectOption('satellite')
  // The map beside the panel is there already; nobody else's is.
  await area.canvas.cameraIs({ zoom: 15, ...center })
  await expect(visitor.baseMap('Hybrid')).toBeHidden()
  await expect(panel.changes).toHaveText('Unsaved: Center, Zoom, Map types, Default map type')

  await panel.applyAndWait()
  await expect(visitor.baseMap('Hybrid')).toBeVisible()
  await expect(visitor.baseMap('Terrain')).toBeHidden()
  await visitor.canvas.cameraIs({ zoom: 15, ...center })
})

test('the last map type stays, and the default moves to the first that remains', async ({ area, given }) => {
  const panel = await area.openConfiguration(await given(land))
  await expect(panel.defaultMapType).toHaveValue('street')
  await panel.mapType('Street').uncheck()
  await expect(panel.defaultMapType).toHaveValue('satellite')
  await panel.mapType('Satellite').click()
  await expect(panel.mapType('Satellite')).toBeChecked()
  await expect(panel.defaultMapType).toHaveValue('satellite')
})

test('what cannot be is said at its field, and is not applied', async ({ area, given }) => {
  const panel = await area.openConfiguration(await given(land))
  await panel.latitude.fill('91')
  await panel.hasProblem(panel.latitude, 'A latitude is a number from -90 to 90.')
  await expect(panel.apply).toBeDisabled()
  await panel.latitude.fill('')
  await panel.hasProblem(panel.latitude, 'A latitude is a number from -90 to 90.')
  await panel.latitude.fill('34.1')
  await panel.bounds.check()
  await panel.side('North').fill('-80')
  await panel.hasProblem(panel.side('North'), 'North must be greater than south.')
  await panel.revert.click()
  await expect(panel.latitude).toHaveValue('35.2')
  await expect(panel.bounds).not.toBeChecked()
  await expect(panel.apply).toBeEnabled()
})

test('the view beside the panel fills centre, zoom and bounds', async ({ area, given }) => {
  const mapId = await given(land)
  const panel = await area.openConfiguration(mapId)
  await panel.useCurrentView('position').click()
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '12')
  const latitude = Number(await panel.latitude.inputValue())
  expect(latitude).toBeCloseTo(origin.lat, 3)
  await panel.useCurrentView('bounds').click()
  await expect(panel.bounds).toBeChecked()
  const [north, south] = await Promise.all(
    (['North', 'South'] as const).map(async (side) => Number(await panel.side(side).inputValue())),
  )
  expect(north).toBeGreaterThan(latitude)
  expect(south).toBeLessThan(latitude)
})

test('of two editors the later one sees the difference field by field, and chooses', async ({
  area,
  given,
  otherPage,
  server,
}) => {
  const mapId = await given(land)
  const others = new ConfigArea(otherPage, server)
  const mine = await area.openConfiguration(mapId)
  const theirs = await others.openConfiguration(mapId)
  await mine.longitude.fill('-112')
  await mine.mapType('Terrain').check()
  await theirs.latitude.fill('35')
  await theirs.longitude.fill('-110')
  await theirs.bounds.check()
  await theirs.applyAndWait()

  await expect(mine.changes).toContainText('Somebody else has changed these settings meanwhile')
  // What I have typed is still there.
  await expect(mine.longitude).toHaveValue('-112')
  await mine.apply.click()
  const row = (field: string) => mine.conflict.getByRole('row', { name: new RegExp(`^${field}`) })
  await expect(mine.conflict).toContainText('Grace Whitfield applied version 1')
  await expect(row('Center').getByLabel('35.2, -112')).toBeChecked()
  await expect(row('Bounds').getByLabel(/^N /)).toBeChecked()
  await row('Center').getByLabel('35, -110').check()
  await mine.conflict.getByRole('button', { name: 'Apply what is chosen' }).click()

  await expect(mine.changes).toHaveText('No unsaved changes')
  await expect(mine.latitude).toHaveValue('35')
  await expect(mine.mapType('Terrain')).toBeChecked()
  await expect(mine.bounds).toBeChecked()
  // The other one follows, having nothing unsaved.
  await expect(theirs.mapType('Terrain')).toBeChecked()
})

test('every applied configuration is a version that can be brought back', async ({ area, given }) => {
  const mapId = await given(land)
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await panel.applyAndWait()
  await panel.mapType('Terrain').check()
  await panel.applyAndWait()
  await panel.openVersions()
  await expect(panel.version(2)).toContainText('applied now')
  await expect(panel.version(2)).toContainText('Grace Whitfield')
  await expect(panel.version(2)).toContainText('Map types: Satellite, Street → Street, Satellite, Terrain')
  await expect(panel.version(1)).toContainText('Center: 36, -112.4')
  await area.button('Restore version 1').click()
  await expect(panel.version(3)).toContainText('Version 1 brought back')
  await expect(panel.mapType('Terrain')).not.toBeChecked()
  await area.toast('are those of version 1 again').getByRole('button', { name: 'Undo' }).click()
  await expect(panel.mapType('Terrain')).toBeChecked()
})

test('out as a file, and in again, in both shapes', async ({ area, given, page }) => {
  const mapId = await given(land)
  const panel = await area.openConfiguration(mapId)
  const chooseFile = (content: unknown) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'map.json',
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    })
  await panel.latitude.fill('36.5')
  const downloading = page.waitForEvent('download')
  await area.button('Export').click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${mapId}-configuration.json`)
  const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(exported).toMatchObject({ center: { lat: 36.5, lng: -112.4 }, mapTypes: ['satellite', 'street'] })
  await panel.revert.click()
  await chooseFile(exported)
  await expect(panel.latitude).toHaveValue('36.5')

  // The working configuration of the panel: center as a pair, zoom, map types.
  await chooseFile({ center: [35, -112], zoom: 9, mapTypes: ['hybrid'] })
  await expect(panel.latitude).toHaveValue('35')
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '9')
  await expect(panel.defaultMapType).toHaveValue('hybrid')
  await chooseFile({ mapBouds: { north: 36, south: 35, east: -111, west: -112 } })
  await expect(panel.side('North')).toHaveValue('36')
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '9')

  const refusal = page.getByRole('alert')
  await chooseFile({ mapBouds: { north: -111, south: 34, east: -110, west: 35 } })
  await expect(refusal).toContainText('map.json cannot be used: mapBounds.north: A latitude is a number')
  await chooseFile('{ "center":')
  await expect(refusal).toContainText('map.json cannot be used: it is no JSON')
  // What was there before is there still.
  await expect(panel.side('North')).toHaveValue('36')
})

test('unsaved settings are not left behind without a question', async ({ area, given, page }) => {
  const mapId = await given(land)
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  // To another section of the same map they come along.
  await area.places.getByRole('link', { name: 'Map Features' }).click()
  await expect(page.getByText('settings not applied yet')).toBeVisible()
  await area.places.getByRole('link', { name: 'Map Config' }).click()
  await expect(panel.latitude).toHaveValue('36')

  await area.places.getByRole('link', { name: 'Map Selection' }).click()
  const question = page.getByRole('dialog', { name: 'Unsaved settings' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(panel.latitude).toHaveValue('36')
  await area.places.getByRole('link', { name: 'Map Selection' }).click()
  await question.getByRole('button', { name: 'Leave without applying' }).click()
  await expect(page.getByRole('heading', { name: 'Client Selection' })).toBeVisible()
})

test('a map that somebody has moved stays where it is', async ({ area, given, visitor, server }) => {
  const mapId = await given(land)
  await applyConfiguration(server.database, mapId, { center: origin, startZoom: 13 })
  await visitor.open(mapId)
  await visitor.button('Zoom in').click()
  await visitor.canvas.cameraIs({ zoom: 14, ...origin })
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await panel.mapType('Hybrid').check()
  await panel.applyAndWait()
  await expect(visitor.baseMap('Hybrid')).toBeVisible()
  await visitor.canvas.cameraIs({ zoom: 14, ...origin })
})

test('an editor sees the settings and cannot change them', async ({ area, page }) => {
  const panel = await area.openConfiguration('pine-ridge', 'editor')
  await expect(page.getByText('Only managers of this map may change its settings.')).toBeVisible()
  await expect(panel.latitude).toBeDisabled()
  await expect(panel.apply).toBeHidden()
})

test('Apply Settings can be pressed, however much of the room the map has', async ({ area, given, page }) => {
  const panel = await area.openConfiguration(await given(land))
  await panel.latitude.fill('35')
  await area.split.press('End')
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 720 })
    const frame = page.getByRole('region', { name: 'Map Configuration', exact: true })
    await expect
      .poll(async () => {
        const [inner, outer] = [await panel.apply.boundingBox(), await frame.boundingBox()]
        return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
      })
      .toBe(true)
    await expect(panel.apply).toBeInViewport({ ratio: 1 })
  }
  // Nothing that is scrolled under it lies above it.
  const isOnTop = () =>
    panel.changes.evaluate((text) => {
      const footer = text.closest('footer') as HTMLElement
      const { left, top, width, height } = footer.getBoundingClientRect()
      const places = Array.from({ length: 40 }, (_, index) => left + ((index + 0.5) * width) / 40)
      return places.every((x) => footer.contains(document.elementFromPoint(x, top + height / 2)))
    })
  for (const field of [panel.zoom, panel.bounds, panel.defaultMapType]) {
    await field.evaluate((input, gap) => {
      const form = input.closest('section') as HTMLElement
      form.scrollTop += input.getBoundingClientRect().top - form.getBoundingClientRect().bottom + gap
    }, 40)
    expect(await isOnTop()).toBe(true)
  }
})

test('settings are copied to other clients, each of which can go back', async ({
  area,
  given,
  page,
  server,
}) => {
  const own = await given(land, { name: 'Copy Source' })
  const center = { lat: 35, lng: -110 }
  const other = await given(land, { name: 'Copy Target' })
  const equal = await given(land, { name: 'Copy Twin' })
  const copied = { mapTypes: ['terrain'], defaultMapType: 'terrain', drawingTools: ['circle'] } as const
  const settings = { ...copied, mapTypes: [...copied.mapTypes], drawingTools: [...copied.drawingTools] }
  await applyConfiguration(server.database, own, { ...settings, showPersonalData: true })
  await applyConfiguration(server.database, other, { center })
  await applyConfiguration(server.database, equal, { ...settings, center })
  await area.openConfiguration(own)
  await area.button('Copy to others').click()
  const dialog = page.getByRole('dialog', { name: 'Copy settings to other clients' })
  await expect(dialog.getByLabel('Copy Source')).toHaveCount(0)
  await dialog.getByLabel('Search the clients to copy to').fill('copy t')
  await dialog.getByLabel('All that are found').check()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Copy to 2 clients' }).click()
  const outcomes = dialog.getByRole('list', { name: 'What came of it' }).getByRole('listitem')
  await expect(outcomes).toHaveText([
    'Copy Targetsettings applied, version 2',
    'Copy Twinhas these settings already',
  ])
  // Its place is its own, and so is what was not chosen.
  const { configuration } = await (
    await page.request.get(`${server.url}/api/maps/${other}/configuration`)
  ).json()
  expect(configuration).toMatchObject({ ...copied, center, showPersonalData: false })
  await outcomes.first().getByRole('link', { name: 'Copy Target' }).click()
  await area.button('Restore version 1').click()
  await expect(area.toast('The settings of Copy Target are those of version 1 again')).toBeVisible()
})
