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
} from '../test-map.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }

const shown = { showPersonalData: true, publicMetadata: ['Depth'] }

const burn = incident({
  id: 'burn-1',
  title: 'Brush fire behind the barn',
  description: 'Put out by the neighbours.\nNobody was hurt.',
  type: 'fire',
  severity: 'high',
  date: '2026-03-01T18:30:00Z',
  parcelId: 'lot-1',
  reportedBy: 'Ada Moreno',
  resolved: true,
  resolvedDate: '2026-03-02T09:00:00Z',
  geometry: pointAt(900, 600),
})
const well = asset({
  id: 'well-1',
  name: 'North well',
  description: 'Feeds the upper tank.',
  type: 'water',
  status: 'maintenance',
  parcelId: 'lot-1',
  installDate: '2009-05-04',
  lastMaintenance: '2025-11-03',
  maintenanceHistory: [
    { date: '2025-11-03', description: 'Pump replaced' },
    { date: '2024-10-01', description: 'Casing cleaned' },
    { date: '2023-09-15', description: 'Water tested' },
    { date: '2020-01-20', description: 'Fence mended' },
    { date: '2016-06-30', description: 'First inspection' },
  ],
  metadata: [{ name: 'Depth', value: 120 }],
  geometry: pointAt(-900, -600),
})
const lot = parcel({
  id: 'lot-1',
  name: 'Lot 1',
  description: 'The corner by the creek.',
  owner: 'Ira Whitfield',
  area: 12.34,
  buildings: 2,
  purchaseDate: '2011-08-09',
  zoning: { type: 'Residential', restrictions: 'No commercial use' },
  taxInfo: { annualAmount: 1845, lastPaid: '2025-12-10' },
  geometry: squareAt(0, 0, 300),
})

test('closing a selection from the address does not move the map', async ({ map, given }) => {
  await map.open(await given([asset({ id: 'a1', name: 'Old well' })]), { search: { select: 'a1' } })
  await map.hasDetailsOf('Old well')
  await map.button('Close details').click()
  await expect(map.details).toBeHidden()
  await map.canvas.isComplete()
})

test('selects an incident by its row, centers the map at zoom 15 and shows all fields', {
  tag: '@painted',
}, async ({ map, given, server }) => {
  const mapId = await given([burn, well, lot])
  await applyConfiguration(server.database, mapId, shown)
  await map.open(mapId, { camera })
  const before = await map.canvas.box()
  await map.row('Brush fire').click()
  await map.hasDetailsOf('Brush fire behind the barn')
  await map.canvas.cameraIs({ ...placeAt(900, 600), zoom: 15 })
  await expect(map.row('Brush fire')).toHaveAttribute('aria-selected', 'true')
  await expect(map.details).toContainText('Incident · Fire')
  await expect(map.details).toContainText('Nobody was hurt.')
  await expect(map.fact('Status')).toHaveText('Resolved')
  await expect(map.fact('Severity')).toHaveText('High')
  await expect(map.fact('Type')).toHaveText('Fire')
  await expect(map.fact('Date').locator('time')).toHaveAttribute('datetime', '2026-03-01T18:30:00.000Z')
  await expect(map.fact('Resolved').locator('time')).toHaveAttribute('datetime', /^2026-03-02T09:00:00/)
  await expect(map.fact('Reported by')).toHaveText('Ada Moreno')
  await expect(map.fact('Parcel')).toHaveText('Lot 1')
  for (const label of ['Id', 'Location']) await expect(map.fact(label)).toBeHidden()

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
})

test('selects an asset by its marker and shows three maintenance entries', async ({
  map,
  given,
  page,
  server,
}) => {
  const mapId = await given([burn, well, lot])
  await applyConfiguration(server.database, mapId, shown)
  await map.open(mapId, { camera })
  await map.canvas.click(placeAt(-900, -600))
  await map.hasDetailsOf('North well')
  await map.canvas.cameraIs({ ...placeAt(-900, -600), zoom: 15 })
  await expect(map.fact('Status')).toHaveText('Maintenance')
  await expect(map.fact('Type')).toHaveText('Water')
  await expect(map.fact('Installed').locator('time')).toHaveAttribute('datetime', '2009-05-04')
  await expect(map.fact('Last maintenance').locator('time')).toHaveAttribute('datetime', '2025-11-03')
  await expect(map.fact('Depth')).toHaveText('120')
  await expect(map.fact('Maintenance history').getByRole('listitem')).toHaveText([
    /Pump replaced$/,
    /Casing cleaned$/,
    /Water tested$/,
  ])

  await expect(map.tab('Assets')).toHaveAttribute('aria-selected', 'true')
  await expect(map.row('North well')).toBeInViewport()

  const edge = map.details.locator('[class*=fade]')
  const last = map.fact('Depth')
  const isOver = async () => {
    const [fade, text] = [await edge.boundingBox(), await last.boundingBox()]
    return fade !== null && text !== null && fade.y < text.y + text.height
  }
  await expect(edge).toBeInViewport()
  expect(await isOver()).toBe(true)
  await map.details.evaluate((panel) => panel.scrollTo(0, panel.scrollHeight))
  await expect.poll(isOver).toBe(false)

  await map.fact('Parcel').getByRole('button', { name: 'Lot 1' }).click()
  await map.hasDetailsOf('Lot 1')
  await expect(map.tab('Parcels')).toHaveAttribute('aria-selected', 'true')
  await expect(map.row('Lot 1')).toBeInViewport()
  await expect(map.fact('Center')).toBeHidden()
  await map.canvas.cameraIs({ ...placeAt(0, 0), zoom: 15 })
  await expect(map.fact('Owner')).toHaveText('Ira Whitfield')
  await expect(map.fact('Area')).toHaveText('12.3 acres (4.99 ha)')
  await expect(map.fact('Buildings')).toHaveText('2')
  await expect(map.fact('Purchased').locator('time')).toHaveAttribute('datetime', '2011-08-09')
  await expect(map.fact('Zoning')).toHaveText('Residential')
  await expect(map.fact('Restrictions')).toHaveText('No commercial use')
  await expect(map.fact('Annual tax')).toHaveText('$1,845')
  await expect(map.fact('Tax last paid').locator('time')).toHaveAttribute('datetime', '2025-12-10')
  await expect(map.fact('Boundary')).toHaveText('4 corners')
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

test('a click selects incident, asset, line, then parcel, never a severity circle', async ({
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
})

test('shows a chooser for two features of one rank under a click', async ({ map, given, page }) => {
  const twins = ['First twin', 'Second twin'].map((title) =>
    incident({ id: title.replace(' ', '-'), title, geometry: pointAt(100, 100) }),
  )
  await map.open(await given([...twins, parcel({ id: 'p1' })]), { camera })
  await map.canvas.click(placeAt(100, 100))
  const chooser = page.getByRole('dialog', { name: 'Which one?' })
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
  const chooser = page.getByRole('dialog', { name: 'Which one?' })
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
