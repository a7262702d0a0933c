import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { describeWithRealData } from '#test/real-data.ts'
import { importRealFile, isSlow, realFiles } from '#test/real-file-imports.ts'
import type { ReportedRow } from './import-options.ts'

function realFile(path: string) {
  const found = realFiles.find(({ file }) => file === path)
  if (!found) throw new Error(`no import of ${path} is described`)
  return found
}

describeWithRealData('real files', () => {
  onEachEngine('say what is in them', (createDatabase) => {
    it('of a parcel', { timeout: isSlow }, async () => {
      const database = await createDatabase()
      const reported: ReportedRow[] = []
      await importRealFile(database, realFile('parcels/cambridge-parcels-fy2014-joined.geojson'), (row) =>
        reported.push(row),
      )
      expect(reported.filter(({ outcome }) => outcome === 'refused')).toMatchObject([
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

    it('of a fire: HTML to the letter, and no place at -1191414610', async () => {
      const database = await createDatabase()
      const reported: ReportedRow[] = []
      await importRealFile(database, realFile('incidents/calfire-last-state.json'), (row) =>
        reported.push(row),
      )
      expect(reported).toEqual([
        {
          rowNumber: 78,
          line: undefined,
          sourceId: '3093980c-b80f-4b7b-a040-d4fc868142ca',
          outcome: 'refused',
          reason: 'longitude -1191414610 is not between -180 and 180',
        },
      ])
      // More than one fire had that name.
      const rows = await database.read
        .selectFrom('features')
        .select('description')
        .where('name', '=', 'Creek Fire')
        .execute()
      expect(rows.map(({ description }) => description)).toContainEqual(
        expect.stringContaining('<p><a href="https://www.co.fresno.ca.us/'),
      )
    })

    it('of a fallen tree', async () => {
      const database = await createDatabase()
      await importRealFile(database, realFile('incidents/boston311-tree-emergencies.csv'))
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
        .groupBy('status')
        .orderBy('status')
        .execute()
      expect(statuses).toEqual([
        { status: 'resolved', count: 771 },
        { status: 'unresolved', count: 14 },
      ])
    })

    it('of a table without places: nothing, and why', async () => {
      const database = await createDatabase()
      const importing = importRealFile(database, {
        file: 'incidents/calfire-state-changes.csv',
        kind: 'incident',
      })
      await expect(importing).rejects.toThrow(
        'no column for latitude and longitude; its columns are UniqueId, seen_at',
      )
      expect(await database.read.selectFrom('maps').selectAll().execute()).toEqual([])
    })
  })
})
