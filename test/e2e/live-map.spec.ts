import { setTimeout as passed } from 'node:timers/promises'
import { maxZoom } from '#domain/map-configuration/map-constants.ts'
import { asset, incident, placeAt, pointAt, putFeatures } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

/** The farthest zoom that can center the land. */
const farthestZoom = 3

test('shows a change on the map at every zoom', { tag: '@painted' }, async ({ map, given, server, page }) => {
  test.slow()
  // Off center, so that the camera of the test differs from the initial camera.
  const mapId = await given([asset({ id: 'first', geometry: pointAt(-600_000, -400_000) })])
  await map.open(mapId, { camera: { ...placeAt(0, 0), zoom: farthestZoom } })
  const place = placeAt(0, 0)
  const shown = [{ name: 'news', ...place }]
  for (let zoom = farthestZoom; zoom <= maxZoom; zoom++) {
    await page.evaluate(
      ([zoom, lat, lng]) => {
        window.location.hash = `#${zoom}/${lat}/${lng}`
      },
      [zoom, place.lat, place.lng] as const,
    )
    await map.canvas.cameraIs({ ...place, zoom })
    await map.canvas.isComplete()
    const isThere = zoom % 2 === 1
    const geometry = isThere ? pointAt(0, 0) : pointAt(600_000, 400_000)
    await map.canvas.showsInkAt(shown).toEqual(isThere ? [] : ['news'])
    await putFeatures(server.database, mapId, [asset({ id: 'news', geometry })])
    await map.canvas.showsInkAt(shown).toEqual(isThere ? ['news'] : [])
  }
})

test('shows the tiles of the last of several quick filter changes', { tag: '@painted' }, async ({
  map,
  given,
  page,
}) => {
  const places = {
    fire: [-1000, 500],
    flood: [0, 500],
    tree: [1000, 500],
  } satisfies Record<string, [number, number]>
  const mapId = await given([
    incident({ id: 'fire', type: 'fire', geometry: pointAt(...places.fire) }),
    incident({ id: 'flood', type: 'flood', geometry: pointAt(...places.flood) }),
    incident({ id: 'tree', type: 'fallen_tree', geometry: pointAt(...places.tree) }),
  ])
  // Earlier filters answer later, so that tiles arrive in the wrong order.
  const delays = { '': 1500, fire: 1500, flood: 700, fallen_tree: 0 }
  let onTheirWay = 0
  let requested = new Set<string>()
  await page.route(/\.mvt/, async (route) => {
    onTheirWay++
    const type = new URL(route.request().url()).searchParams.get('type') ?? ''
    requested.add(type)
    await passed(delays[type as keyof typeof delays])
    // The page may have canceled the request.
    await route.continue().catch(() => {})
    onTheirWay--
  })
  await map.open(mapId, { camera: { ...placeAt(0, 0), zoom: 13 } })
  await map.openFilters()
  const marks = Object.entries(places).map(([name, [east, north]]) => ({ name, ...placeAt(east, north) }))

  const shown = { Fire: 'fire', Flood: 'flood', 'Fallen tree': 'tree' }
  const types = { Fire: 'fire', Flood: 'flood', 'Fallen tree': 'fallen_tree' }
  for (const last of ['Fallen tree', 'Flood'] as const) {
    for (const type of ['Fire', 'Flood', 'Fallen tree', 'Fire', last] as const) {
      requested = new Set()
      await map.filter('Incident type').selectOption(types[type])
      await expect(map.row(`Incident ${shown[type]}`)).toBeVisible()
      // The new tiles are requested now, or after the pending ones.
      const isUnderWay = () => onTheirWay > 0 || requested.has(types[type])
      await expect.poll(isUnderWay).toBe(true)
    }
    await map.canvas.showsInkAt(marks).toEqual([shown[last]])
    await expect.poll(() => onTheirWay).toBe(0)
    await map.canvas.showsInkAt(marks).toEqual([shown[last]])
  }
})
