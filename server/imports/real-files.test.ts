import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { featureKinds } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import { describeWithRealData } from '#test/real-data.ts'
import { importRealFile, isSlow, realFiles } from '#test/real-file-imports.ts'
import { type Filter, fullestTiles, lookAtTile, readAnchors } from '#test/tile-cells.ts'
import { measureAcres } from './geometry/measure-acres.ts'

describeWithRealData('real files', () => {
  onEachEngine('are imported', (createDatabase, { engine }) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })

    it.each(realFiles)('$file', { timeout: isSlow }, async (one) => {
      const { counts } = one
      expect(await importRealFile(database, one)).toMatchObject({
        refused: 0,
        repaired: 0,
        ...counts,
        updated: 0,
        unchanged: 0,
      })
    })

    it('and change nothing when they come again', { timeout: isSlow }, async () => {
      const before = await database.read
        .selectFrom('features')
        .select(['id', 'version', 'updated_at'])
        .orderBy('id')
        .execute()
      for (const one of realFiles)
        expect(await importRealFile(database, one)).toMatchObject({
          created: 0,
          updated: 0,
          unchanged: one.counts?.created,
        })
      expect(
        await database.read
          .selectFrom('features')
          .select(['id', 'version', 'updated_at'])
          .orderBy('id')
          .execute(),
      ).toEqual(before)
    })

    it('and are on tiles without an empty cell, under each filter', { timeout: isSlow }, async () => {
      const anchors = await readAnchors(database, 'real')
      const all = { kinds: [], types: [], since: undefined }
      const filters: Filter[] = [
        all,
        ...featureKinds.map((kind) => ({ ...all, kinds: [kind] })),
        ...['water', 'road', 'fallen_tree', 'fire'].map((type) => ({ ...all, types: [type] })),
        ...['2015-01-12', '2019-06-01'].map((since) => ({ ...all, since })),
      ]
      for (const z of [2, 6, 10, 12, 14, 16])
        for (const filter of filters)
          for (const tile of fullestTiles(anchors, z).slice(0, 2)) {
            const look = await lookAtTile(database, 'real', anchors, tile, filter)
            expect(look.empty, JSON.stringify(filter)).toEqual([])
            expect(look.bytes).toBeLessThanOrEqual(500_000)
          }
    })

    // A deed's area and the drawn shape are two surveys of one lot: alike, seldom the same.
    it('and their shapes measure what the assessors say', { timeout: isSlow }, async () => {
      const rows = await database.read
        .selectFrom('features')
        .select(['fields', 'geometry'])
        .where('metadata', 'like', '%"LOC_ID"%')
        .execute()
      const ratios = rows
        .map(({ fields, geometry }) => {
          const said = (JSON.parse(fields) as { area: number | null }).area
          return (measureAcres(JSON.parse(geometry) as Geometry) ?? Number.NaN) / (said ?? Number.NaN)
        })
        .filter((ratio) => Number.isFinite(ratio))
        .sort((one, other) => one - other)
      expect(ratios.length).toBeGreaterThan(12_900)
      expect(Math.abs((ratios[Math.floor(ratios.length / 2)] ?? 0) - 1)).toBeLessThan(0.01)
      expect(ratios.filter((ratio) => Math.abs(ratio - 1) < 0.05).length / ratios.length).toBeGreaterThan(
        0.75,
      )
    })

    if (engine === 'sqlite') return
    it('and are valid to PostGIS, every one', { timeout: isSlow }, async () => {
      const { rows } = await sql`
        select id, ST_IsValidReason(ST_GeomFromGeoJSON(geometry)) as reason
        from features where not ST_IsValid(ST_GeomFromGeoJSON(geometry))`.execute(database.read)
      expect(rows).toEqual([])
    })
  })
})
