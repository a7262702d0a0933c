import { expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine } from '#test/databases.ts'
import { inputOf } from '#test/import-inputs.ts'
import { importFeatures } from '../import-features.ts'
import type { ReportedRow } from '../import-watch.ts'

/** From 179.5 east to 179.5 west, with a hole in its western half. */
const overTheLine: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [179.5, 51],
      [-179.5, 51],
      [-179.5, 52],
      [179.5, 52],
      [179.5, 51],
    ],
    [
      [179.7, 51.2],
      [179.7, 51.4],
      [179.9, 51.4],
      [179.9, 51.2],
      [179.7, 51.2],
    ],
  ],
}

onEachEngine('a shape over the date line', (createDatabase) => {
  async function importOne(geometry: Geometry) {
    const database = await createDatabase()
    const told: ReportedRow[] = []
    await importFeatures(
      database,
      inputOf(JSON.stringify({ type: 'Feature', properties: {}, geometry })),
      {
        mapId: 'attu',
        kind: 'parcel',
        source: 'lots',
        client: { name: 'Attu', location: '' },
      },
      { onRow: (row) => told.push(row) },
    )
    const row = await database.read.selectFrom('features').select(['geometry', 'fields']).executeTakeFirst()
    return {
      told: told.map(({ outcome, reason }) => `${outcome}: ${reason}`),
      geometry: row && (JSON.parse(row.geometry) as Geometry),
      acres: row && (JSON.parse(row.fields).area as number),
    }
  }

  it('is cut there, and keeps its hole and its area', async () => {
    const { told, geometry, acres } = await importOne(overTheLine)
    expect(told).toEqual(['repaired: it lies over the date line and was cut there'])
    expect(geometry?.type).toBe('MultiPolygon')
    const parts = geometry?.type === 'MultiPolygon' ? geometry.coordinates : []
    const boxes = parts.map(([outer = []]) => {
      const lngs = outer.map(([lng]) => lng)
      return [Math.min(...lngs), Math.max(...lngs)]
    })
    expect(boxes.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [-180, -179.5],
      [179.5, 180],
    ])
    expect(parts.map((rings) => rings.length).toSorted()).toEqual([1, 2])
    // The same ten degrees further west has no line to be cut at; edges are arcs, and two are not quite one.
    const moved = JSON.parse(
      JSON.stringify(overTheLine).replaceAll(/-?179\.\d/g, (lng) => String((Number(lng) + 350) % 360)),
    ) as Geometry
    expect((acres ?? 0) / ((await importOne(moved)).acres ?? 0)).toBeCloseTo(1, 4)
  })

  it('is cut where a vertex or a part lies on it, and a line is cut as well', async () => {
    const onIt = await importOne({
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [179, 10],
            [180, 10],
            [-179, 10.5],
            [180, 11],
            [179, 11],
            [179, 10],
          ],
        ],
        [
          [
            [-178, 10],
            [-177, 10],
            [-177, 11],
            [-178, 10],
          ],
        ],
      ],
    })
    expect(onIt.geometry?.type === 'MultiPolygon' && onIt.geometry.coordinates).toHaveLength(3)
    const line = await importOne({
      type: 'LineString',
      coordinates: [
        [170, 0],
        [-170, 10],
        [-160, 10],
      ],
    })
    expect(line.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [170, 0],
          [180, 5],
        ],
        [
          [-180, 5],
          [-170, 10],
          [-160, 10],
        ],
      ],
    })
  })

  it('leaves geometries that only touch the line, or span the world, unchanged', async () => {
    const west: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [-180, 10],
          [-179, 10],
          [-179, 11],
          [-180, 11],
          [-180, 10],
        ],
      ],
    }
    const world: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [-180, -80],
          [180, -80],
          [180, 80],
          [-180, 80],
          [-180, -80],
        ],
      ],
    }
    for (const shape of [west, world])
      expect(await importOne(shape)).toMatchObject({ told: [], geometry: shape })
  })

  it('is refused where it encloses nothing', async () => {
    const thereAndBack: Position[] = [
      [179, 10],
      [-179, 10],
      [179.5, 10],
      [179, 10],
    ]
    expect(await importOne({ type: 'Polygon', coordinates: [thereAndBack] })).toMatchObject({
      told: ['refused: its polygon lies over the date line, and encloses nothing'],
      geometry: undefined,
    })
  })

  it('is refused where it goes around a pole', async () => {
    const around = [0, 120, -120, 0].map((lng) => [lng, 80] as [number, number])
    expect((await importOne({ type: 'Polygon', coordinates: [around] })).told).toEqual([
      'refused: its polygon goes around a pole; cut it at longitude 180 into parts that do not',
    ])
  })
})
