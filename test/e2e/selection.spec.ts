import { incidentColors } from '#domain/features/palette.ts'
import {
  applyConfiguration,
  asset,
  incident,
  lineThrough,
  parcel,
  placeAt,
  pointAt,
  squareAt,
} from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }

const burn = incident({
  id: 'burn-1',
  title: 'Brush fire behind the barn',
  description: 'Put out by the neighbours.\nNobody was hurt.',
  type: 'fire',
  severity: 'high',
  geometry: pointAt(900, 600),
})
const well = asset({
  id: 'well-1',
  name: 'North well',
  description: 'Feeds the upper tank. '.repeat(20),
  type: 'water',
  status: 'maintenance',
  parcelId: 'lot-1',
  metadata: [{ name: 'Depth', value: 120 }],
  geometry: pointAt(-900, -600),
})
const lot = parcel({ id: 'lot-1', name: 'Lot 1', geometry: squareAt(0, 0, 300) })

test('selects by row, marker and link, centers the map at zoom 15 above the details', {
  tag: '@painted',
}, async ({ map, given, page, server }) => {
  const mapId = await given([burn, well, lot])
  await applyConfiguration(server.database, mapId, { publicMetadata: ['Depth'] })
  await map.open(mapId, { camera })
  const before = await map.canvas.box()
  await map.row('Brush fire').click()
  await map.hasDetailsOf('Brush fire behind the barn')
  await map.canvas.cameraIs({ ...placeAt(900, 600), zoom: 15 })
  await expect(map.row('Brush fire')).toHaveAttribute('aria-selected', 'true')
  const frame = await map.canvas.box()
  const panel = await map.details.boundingBox()
  expect(panel?.y).toBeGreaterThanOrEqual(frame.y + frame.height - 1)
  expect(frame.height).toBeLessThan(before.height)
  const middle = await map.canvas.middle()
  const head = boxAround({ x: middle.x, y: middle.y - 24 }, 14)
  await expect
    .poll(async () => (await map.canvas.ink()).count(rgb(incidentColors.fire), head, 40))
    .toBeGreaterThan(60)
  await map.button('Close details').click()
  await expect(map.details).toBeHidden()
  expect(map.search()).toEqual({})

  await map.open(mapId, { camera: { ...camera, zoom: 12 } })
  await map.canvas.click(placeAt(-900, -600))
  await map.hasDetailsOf('North well')
  await map.canvas.cameraIs({ ...placeAt(-900, -600), zoom: 15 })
  await expect(map.tab('Assets')).toHaveAttribute('aria-selected', 'true')
  await expect(map.row('North well')).toBeInViewport()
  const edge = map.details.locator('[class*=fade]')
  const last = map.fact('Depth')
  const isOver = async () => {
    const [fade, text] = [await edge.boundingBox(), await last.boundingBox()]
    return fade !== null && text !== null && fade.y < text.y + text.height - 1
  }
  await expect(edge).toBeInViewport()
  expect(await isOver()).toBe(true)
  await map.details.evaluate((panel) => panel.scrollTo(0, panel.scrollHeight))
  await expect.poll(isOver).toBe(false)
  await map.fact('Parcel').getByRole('button', { name: 'Lot 1' }).click()
  await map.hasDetailsOf('Lot 1')
  await expect(map.row('Lot 1')).toBeInViewport()
  await map.canvas.cameraIs({ ...placeAt(0, 0), zoom: 15 })
  await page.keyboard.press('Escape')
  await expect(map.details).toBeHidden()
})

test('shows cached details immediately after a click', async ({ map, given, page }) => {
  const mapId = await given([burn, well])
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  for (const address of ['**/features/*', '**/features?kind=asset**']) await page.route(address, () => {})
  await map.open(mapId, { camera })
  await expect(map.row('Brush fire behind the barn')).toBeVisible()

  await map.canvas.click(placeAt(-900, -600))
  await expect(map.details).toContainText('Asset · Water')
  await expect(map.fact('Status')).toHaveText('Maintenance')
  await expect(map.details.getByRole('status', { name: 'Loading details' })).toBeVisible()
  await map.canvas.cameraIs({ ...placeAt(-900, -600), zoom: 15 })
  await expect(map.tab('Assets')).toHaveAttribute('aria-selected', 'true')

  await map.openTab('Incidents')
  await map.row('Brush fire behind the barn').click()
  await map.hasDetailsOf('Brush fire behind the barn')
  await expect(map.details).toContainText('Nobody was hurt.')
  await expect(map.fact('Severity')).toHaveText('High')
  // The tiles contain all features of the place.
  expect(requested.filter((address) => /[?&]at=/.test(address))).toEqual([])
})

test('a click selects incident, asset, line, then parcel, never a severity circle, and asks about ties', async ({
  map,
  given,
  page,
}) => {
  const road: [number, number][] = [
    [-500, 0],
    [500, 0],
  ]
  const mapId = await given([
    parcel({ id: 'land', name: 'The land', geometry: squareAt(0, 0, 1_200) }),
    asset({ id: 'road', name: 'The road', type: 'road', geometry: lineThrough(...road) }),
    asset({ id: 'pump', name: 'The pump', geometry: pointAt(-300, 0) }),
    asset({ id: 'tank', name: 'The tank', geometry: pointAt(300, 0) }),
    incident({ id: 'leak', title: 'The leak', severity: 'high', geometry: pointAt(300, 0) }),
    ...['First twin', 'Second twin'].map((title) =>
      incident({ id: title.replace(' ', '-'), title, severity: null, geometry: pointAt(-300, 500) }),
    ),
  ])
  await map.open(mapId, { camera: { ...placeAt(0, 0), zoom: 15 } })
  const clicks: [east: number, north: number, hits: string][] = [
    [300, 0, 'The leak'],
    [-300, 0, 'The pump'],
    [-100, 0, 'The road'],
    [-100, 250, 'The land'],
    // All within 300 m of the leak.
    [300, 200, 'The land'],
  ]
  for (const [east, north, hits] of clicks) {
    await map.canvas.click(placeAt(east, north))
    await map.hasDetailsOf(hits)
    await page.keyboard.press('Escape')
    await expect(map.details).toBeHidden()
  }
  await map.canvas.click(placeAt(-300, 500))
  const chooser = page.getByRole('dialog', { name: 'Select a feature' })
  await expect(chooser.getByRole('button', { name: 'First twin' })).toBeVisible()
  await expect(map.details).toBeHidden()
  await chooser.getByRole('button', { name: 'Second twin' }).click()
  await map.hasDetailsOf('Second twin')
  await expect(chooser).toBeHidden()
})

test('the chooser counts and lists 1,000 incidents at one place by keyboard', async ({
  map,
  given,
  page,
}) => {
  const count = 1000
  const incidents = Array.from({ length: count }, (_, index) =>
    incident({ id: `n${index}`, title: `Noise ${index}`, geometry: pointAt(100, 100) }),
  )
  await map.open(await given(incidents), { camera })
  await map.canvas.click(placeAt(100, 100))
  const chooser = page.getByRole('dialog', { name: 'Select a feature' })
  await expect(chooser).toContainText('1,000 features')
  await page.keyboard.press('ArrowDown')
  const focused = chooser.getByRole('listitem').filter({ has: page.locator(':focus') })
  await expect(focused).toHaveAttribute('aria-posinset', '1')
  await expect(focused).toHaveAttribute('aria-setsize', '1000')
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return focused.getAttribute('aria-posinset')
    })
    .toBe('1000')
  expect(await chooser.getByRole('listitem').count()).toBeLessThan(30)
  await page.keyboard.press('ArrowUp')
  await expect(focused).toHaveAttribute('aria-posinset', '999')
  const name = (await focused.textContent()) as string
  await page.keyboard.press('Enter')
  await map.hasDetailsOf(name)
})
