import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { featureKinds } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { importRealFile, isSlow, realFiles } from '#test/imports/real-file-imports.ts'
import { type Filter, fullestTiles, lookAtTile, readAnchors, type Tile } from '#test/server/tile-cells.ts'
import type { ReportedRow } from './import-watch.ts'

describeWithRealData('real files', () => {
  onEachEngine('are imported', (createDatabase, { engine }) => {
    let database: TestDatabase
    const reported = new Map<string, ReportedRow[]>()
    beforeAll(async () => {
      database = await createDatabase()
    })

    it.each(realFiles)('$file', { timeout: isSlow }, async (one) => {
      const { counts, file } = one
      const rows: ReportedRow[] = []
      reported.set(file, rows)
      expect(await importRealFile(database, one, (row) => rows.push(row))).toMatchObject({
        refused: 0,
        repaired: 0,
        ...counts,
        updated: 0,
        unchanged: 0,
      })
    })

    if (engine === 'postgres') {
      it('and are all valid in PostGIS', { timeout: isSlow }, async () => {
        const { rows } = await sql`
          select id, ST_IsValidReason(ST_GeomFromGeoJSON(geometry)) as reason
          from features where not ST_IsValid(ST_GeomFromGeoJSON(geometry))`.execute(database.read)
        expect(rows).toEqual([])
      })
      return
    }

    it('and have the values of the file: a parcel', async () => {
      const rows = reported.get('parcels/cambridge-parcels-fy2014-joined.geojson') ?? []
      expect(rows.filter(({ outcome }) => outcome === 'refused')).toMatchObject([
        { rowNumber: 1_896, sourceId: '13064' },
      ])
      const row = await database.read
        .selectFrom('features')
        .selectAll()
        .where('name', '=', '23 ROCKWELL ST')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(row.fields)).toMatchObject({
        owner: null,
        area: expect.closeTo(0.074, 3),
        purchaseDate: '1980-12-29',
        zoning: { type: 'THREE-FM-RES', restrictions: null },
      })
      expect(JSON.parse(row.metadata)).toEqual(
        expect.arrayContaining([
          { name: 'ML', value: '127-123' },
          { name: 'BookPage', value: ' 14175/ 474' },
        ]),
      )
    })

    it('and have the values of the file: a fire, HTML to the letter, and no place at -1191414610', async () => {
      expect(reported.get('incidents/calfire-last-state.json')).toMatchObject([
        {
          rowNumber: 78,
          line: undefined,
          sourceId: '3093980c-b80f-4b7b-a040-d4fc868142ca',
          outcome: 'refused',
          reason: 'longitude -1191414610 is not between -180 and 180',
        },
      ])
      const rows = await database.read
        .selectFrom('features')
        .select('description')
        .where('name', '=', 'Creek Fire')
        .execute()
      expect(rows.map(({ description }) => description)).toContainEqual(
        expect.stringContaining('<p><a href="https://www.co.fresno.ca.us/'),
      )
    })

    it('and have the values of the file: a fallen tree', async () => {
      const row = await database.read
        .selectFrom('features')
        .selectAll()
        .where('metadata', 'like', '%"101001242040"%')
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        name: 'Tree Emergencies',
        status: 'resolved',
        type: 'fallen_tree',
        date: Date.parse('2015-01-05T12:29:46Z'),
      })
      expect(JSON.parse(row.fields).resolvedDate).toBe('2015-01-05T14:19:46.000Z')
      const statuses = await database.read
        .selectFrom('features')
        .select(['status', (builder) => builder.fn.countAll<number>().as('count')])
        .where('type', '=', 'fallen_tree')
        .groupBy('status')
        .orderBy('status')
        .execute()
      expect(statuses).toEqual([
        { status: 'resolved', count: 771 },
        { status: 'unresolved', count: 14 },
      ])
    })

    it('and a table without places is refused with a reason', async () => {
      const other = await createDatabase()
      const importing = importRealFile(other, {
        file: 'incidents/calfire-state-changes.csv',
        kind: 'incident',
      })
      await expect(importing).rejects.toThrow(
        'no column for latitude and longitude. Its columns are UniqueId, seen_at',
      )
      expect(await other.read.selectFrom('maps').selectAll().execute()).toEqual([])
    })

    it('and change nothing when imported again', { timeout: isSlow }, async () => {
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

    it('and the areas of their shapes match those of the assessors', { timeout: isSlow }, async () => {
      const rows = await database.read
        .selectFrom('features')
        .select(['fields', 'geometry'])
        .where('metadata', 'like', '%"LOC_ID"%')
        .execute()
      const ratios = rows
        .map(({ fields, geometry }) => {
          const acres = (JSON.parse(fields) as { area: number | null }).area
          return (measureAcres(JSON.parse(geometry) as Geometry) ?? Number.NaN) / (acres ?? Number.NaN)
        })
        .filter((ratio) => Number.isFinite(ratio))
        .sort((one, other) => one - other)
      expect(ratios.length).toBeGreaterThan(12_900)
      expect(Math.abs((ratios[Math.floor(ratios.length / 2)] ?? 0) - 1)).toBeLessThan(0.01)
      expect(ratios.filter((ratio) => Math.abs(ratio - 1) < 0.05).length / ratios.length).toBeGreaterThan(
        0.75,
      )
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
      for (const z of [2, 6, 10, 12, 14, 16]) {
        const tiles = fullestTiles(anchors, z).slice(0, 2)
        for (const [index, filter] of filters.entries()) {
          const tile = tiles[index % tiles.length] as Tile
          const style = await lookAtTile(database, 'real', anchors, tile, filter)
          expect(style.empty, JSON.stringify(filter)).toEqual([])
          expect(style.bytes).toBeLessThanOrEqual(500_000)
        }
      }
    })
  })
})
