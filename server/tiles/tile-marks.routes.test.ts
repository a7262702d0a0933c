import { expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { onEachEngine } from '#test/databases.ts'
import { decodeTile } from '#test/decode-tile.ts'
import { anAsset, anIncident, home, storeFeatures, storeMap } from '#test/feature-builders.ts'
import { startTestApp } from '#test/test-app.ts'

const pixels = 512
const z = 13
const [homeX, homeY] = [mercatorX(home.lng) * 2 ** z, mercatorY(home.lat) * 2 ** z].map(Math.floor) as [
  number,
  number,
]

/** A place on the tile that has the home of all test features, in pixels from its north-west. */
function onTile(x: number, y: number): [number, number] {
  return [lngOfMercatorX((homeX + x / pixels) / 2 ** z), latOfMercatorY((homeY + y / pixels) / 2 ** z)]
}

/** Assets in rows of ten, 9 pixels apart: no two in one cell of 8, several in one of 32. */
const crowdOf = (count: number): NewFeature[] =>
  Array.from({ length: count }, (_, index) =>
    anAsset({
      id: `a-${index}`,
      geometry: {
        type: 'Point',
        coordinates: onTile(40 + (index % 10) * 9, 40 + Math.floor(index / 10) * 9),
      },
    }),
  )

onEachEngine('a tile', (createDatabase) => {
  it('marks as dots those whose pins would cover each other, where there are many', async () => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    const marksOf = async (mapId: string, tile = `${z}/${homeX}/${homeY}`) => {
      const answer = await app.get(`/api/maps/${mapId}/tiles/${tile}.mvt`)
      return decodeTile(answer.rawPayload)
        .filter(({ layer }) => layer !== 'incident_areas')
        .map(({ tags, parts }) => ({
          id: String(tags.id),
          mark: tags.mark,
          at: parts[0]?.[0] ?? { x: -1, y: -1 },
        }))
    }
    const store = async (mapId: string, features: NewFeature[]) => {
      await storeMap(database, mapId)
      await storeFeatures(
        database,
        features.map((feature) => ({ ...feature, mapId })),
      )
    }

    await store('few', crowdOf(80))
    expect(new Set((await marksOf('few')).map(({ mark }) => mark))).toEqual(new Set([undefined]))

    const road = anAsset({
      id: 'road',
      geometry: { type: 'LineString', coordinates: [onTile(44, 44), onTile(44.5, 44.5)] },
    })
    const fire = anIncident({ id: 'fire', geometry: { type: 'Point', coordinates: onTile(45, 45) } })
    await store('many', [...crowdOf(100), road, fire])
    const marks = await marksOf('many')
    expect(marks).toHaveLength(102)
    const pins = marks.filter(({ mark, id }) => mark === undefined && id.startsWith('a-'))
    expect(marks.filter(({ mark }) => mark === 'dot')).toHaveLength(100 - pins.length)
    // One pin of them in each cell of 32 pixels, from 32 to 128.
    const cells = pins.map(({ at }) => `${Math.floor(at.x / 256)} ${Math.floor(at.y / 256)}`)
    expect(cells.toSorted()).toEqual([1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `${x} ${y}`)))
    // Neither what is never a pin, nor the only one of its kind.
    for (const id of ['road', 'fire'])
      expect(marks.find((one) => one.id === id)).toMatchObject({ mark: undefined })

    // From farther away all are dots anyway.
    const far = await marksOf('many', `10/${homeX >> 3}/${homeY >> 3}`)
    expect(new Set(far.map(({ mark }) => mark))).toEqual(new Set([undefined]))
  })
})
