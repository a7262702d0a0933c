import type { Page } from '@playwright/test'
import { openingElementId } from '#domain/opening/opening-page.ts'
import {
  applyConfiguration,
  asset,
  parcel,
  placeAt,
  pointAt,
  putFeatures,
  squareAt,
} from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

/** Section 9 of the specification, 'Map'. */
const country = { lat: 39.83, lng: -98.58, zoom: 5 }

const lots = [
  parcel({ id: 'p10', name: 'Lot 10', geometry: squareAt(-800, -800, 200) }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(800, 800, 200) }),
  asset({ id: 'a1', geometry: pointAt(300, 0) }),
]

test('opens at the address, else a selection, the applied configuration, the first parcel', async ({
  map,
  given,
  server,
}) => {
  const mapId = await given(lots)
  await map.open(mapId)
  await map.canvas.cameraIs({ ...placeAt(800, 800), zoom: 12 })

  const center = placeAt(-500, 500)
  await applyConfiguration(server.database, mapId, {
    center,
    startZoom: 13,
    mapTypes: ['terrain', 'hybrid'],
    defaultMapType: 'terrain',
  })
  await map.open(mapId)
  await map.canvas.cameraIs({ ...center, zoom: 13 })
  await expect(map.page.getByRole('radio')).toHaveCount(2)
  await expect(map.page.getByRole('radio', { name: 'Terrain' })).toBeChecked()

  await map.open(mapId, { search: { select: 'a1' } })
  await map.canvas.cameraIs({ ...placeAt(300, 0), zoom: 15 })
  const camera = { ...placeAt(-300, -300), zoom: 16.5 }
  await map.open(mapId, { search: { select: 'a1' }, camera })
  await map.canvas.cameraIs(camera)
})

test('an empty map shows the country, and later parcels do not move a panned map', async ({
  map,
  given,
  server,
}) => {
  const mapId = await given([])
  await map.open(mapId)
  await map.canvas.cameraIs(country)
  await expect(map.emptyText).toHaveText('No incidents found with the current filters.')
  await map.canvas.press('ArrowRight')
  await expect.poll(async () => (await map.canvas.camera()).lng).toBeGreaterThan(country.lng + 1)
  await map.canvas.isComplete()
  const touched = await map.canvas.camera()

  await putFeatures(server.database, mapId, lots)
  await map.hasCount('Parcels', 2)
  await expect(map.button('Zoom to all land')).toBeVisible()
  await map.canvas.isComplete()
  expect(await map.canvas.camera()).toEqual(touched)
})

test.describe('while the page loads', () => {
  test('starts the map from embedded data before the app, which takes it over', async ({
    map,
    given,
    page,
  }) => {
    const mapId = await given(lots)
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    let letCome = () => {}
    const held = new Promise<void>((resolve) => {
      letCome = resolve
    })
    await page.route(/\/assets\/page-[\w-]{8}\.js$/, async (route) => {
      await held
      await route.continue()
    })
    const begun = page.locator('body > div:not(#root) canvas')
    const shown = map.canvas.section.locator('[data-first-map=shown] canvas')
    for (const search of ['', '?off=asset&incidents=fire&base=satellite#15/35.2/-112.4']) {
      const isFirst = search === ''
      await page.goto(map.addressOf(mapId) + search, { waitUntil: 'commit' })
      if (isFirst) {
        await expect(begun).toBeVisible()
        await expect.poll(() => requested.filter((path) => path.endsWith('.mvt')).length).toBeGreaterThan(0)
        letCome()
        await map.hasCount('Parcels', 2)
        expect(requested.filter((path) => path.endsWith('/features'))).toHaveLength(2)
      }
      await expect(shown).toBeVisible()
      await expect(begun).toHaveCount(0)
      await map.canvas.isComplete()
    }
    const mapRequests = requested.filter((path) => path === '/api/settings' || path === `/api/maps/${mapId}`)
    expect(mapRequests).toEqual([])

    // With a selection, the page starts the map.
    await page.goto(map.addressOf(mapId, { search: { select: 'a1' } }))
    await map.canvas.isComplete()
    await expect(shown).toHaveCount(0)
  })
})

test.describe('without the summary of the map', () => {
  test.use({ toleratesNetworkFailures: true })

  test('opens without the summary, and moves to the land when it loads', async ({ map, given, page }) => {
    await comeWithoutOpening(page)
    // The server is gone, or one answer fails.
    for (const [index, addresses] of ['**/{api/maps,health}/**', '**/api/maps/*'].entries()) {
      const name = `Late Creek ${index}`
      const mapId = await given(lots, { name: `${name} POA` })
      await page.route(addresses, (route) => route.abort())
      await map.visit(map.addressOf(mapId))
      await map.canvas.cameraIs(country)
      await expect(map.button('Zoom to all land')).toBeHidden()
      await page.unrouteAll()
      await expect(map.sidebar.locator('header')).toContainText(name)
      await expect(map.button('Zoom to all land')).toBeVisible()
      await map.canvas.cameraIs({ ...placeAt(800, 800), zoom: 12 })
    }
  })
})

/** Removes the embedded summary from the page, as if the database were down. */
async function comeWithoutOpening(page: Page): Promise<void> {
  await page.addInitScript((id) => {
    // Runs before all modules.
    document.addEventListener('readystatechange', () => document.getElementById(id)?.remove(), { once: true })
  }, openingElementId)
}
