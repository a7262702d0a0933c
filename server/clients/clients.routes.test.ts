import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ClientTotals } from '#domain/clients/client.schema.ts'
import { clientSorts } from '#domain/clients/client-sort.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  storeChange,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

type Page = { items: Client[]; total: number; next: string | null; totals?: ClientTotals }

const names = [
  'Zion Acres',
  'Élan Ridge',
  'oak hills',
  'Oak Hills',
  'Oak Hills East',
  'St. John’s Landing',
  'Lot 7',
]

onEachEngine('clients', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    for (const [index, name] of names.entries())
      await storeClient(database, `client-${index}`, {
        name,
        location: index === 0 ? 'Ñuñoa, Utah' : 'Arizona',
      })
    await storeClient(database, 'closed', { name: 'Closed Hills', archived: true })
    await storeMap(database, 'sample')
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  const list = (query = '') => app.getJson<Page>(`/api/clients${query}`)
  const namesOf = (page: Page) => page.items.map((client) => client.name)

  describe('the list', () => {
    it('sorts by name, ignoring case and accents, without archived clients', async () => {
      const page = await list()
      expect(namesOf(page)).toEqual([
        'Élan Ridge',
        'Lot 7',
        'oak hills',
        'Oak Hills',
        'Oak Hills East',
        'St. John’s Landing',
        'Zion Acres',
      ])
      expect(page).toMatchObject({ total: names.length, next: null })
    })

    it.each([
      ['OAK', ['oak hills', 'Oak Hills', 'Oak Hills East']],
      ['elan', ['Élan Ridge']],
      ['ÉLAN', ['Élan Ridge']],
      ['ills ea', ['Oak Hills East']],
      ['nunoa', ['Zion Acres']],
      ['john s', ['St. John’s Landing']],
      ['closed', []],
      ['%', []],
      ['_', []],
      ["'", []],
      ['!?', []],
    ])('finds by part of name or location: %s', async (text, expected) => {
      const page = await list(`?text=${encodeURIComponent(text)}`)
      expect(namesOf(page)).toEqual(expected)
      expect(page.total).toBe(expected.length)
    })

    it.each(['', '%20%20'])('is whole where the search is blank (%j)', async (text) => {
      expect((await list(`?text=${text}`)).total).toBe(names.length)
    })

    it('sorts by count or time, largest or newest first, ties by name', async () => {
      const at = Date.now()
      const change = async (mapId: string, features: NewFeature[], days: number) => {
        await storeFeatures(database, features)
        await database.write((transaction) =>
          transaction
            .updateTable('maps')
            .set({ updated_at: at - days * 86_400_000 })
            .where('map_id', '=', mapId)
            .execute(),
        )
      }
      const [lot, open] = [(mapId: string) => aParcel({ mapId }), (mapId: string) => anIncident({ mapId })]
      const asset = (mapId: string, status: 'offline' | 'maintenance') => anAsset({ mapId, status })
      const resolved = anIncident({ mapId: 'client-0', resolved: true })
      await change('client-0', [lot('client-0'), resolved, asset('client-0', 'offline')], 2)
      const assets = [asset('client-1', 'offline'), asset('client-1', 'maintenance')]
      await change('client-1', [lot('client-1'), lot('client-1'), open('client-1'), ...assets], 1)
      await change('client-6', [open('client-6'), anIncident({ mapId: 'client-6', severity: null })], 3)
      const first = async (sort: string) => namesOf(await list(`?sort=${sort}&limit=3`))
      expect(await first('incidents')).toEqual(['Lot 7', 'Élan Ridge', 'oak hills'])
      expect(await first('size')).toEqual(['Élan Ridge', 'Zion Acres', 'Lot 7'])
      expect(await first('changed')).toEqual(['Élan Ridge', 'Zion Acres', 'Lot 7'])
      expect(await list('?totals=true&limit=1')).toMatchObject({
        total: names.length,
        totals: {
          properties: 3,
          attention: { incidents: { high: 2, medium: 0, low: 0, unknown: 1 }, offline: 2, maintenance: 1 },
        },
      })
      expect(await list('?totals=true&text=zion')).toMatchObject({ totals: { properties: 1 } })
      expect(await list()).not.toHaveProperty('totals')
    })

    it.each(clientSorts)('gives the same sequence with any page size, sorted by %s', async (sort) => {
      const whole = namesOf(await list(`?sort=${sort}`))
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: names.length + 1 }), async (limit) => {
          const seen: string[] = []
          for (let next: string | null = ''; next !== null; ) {
            const page: Page = await list(`?sort=${sort}&limit=${limit}${next && `&after=${next}`}`)
            expect(page.total).toBe(names.length)
            expect(page.items.length).toBeLessThanOrEqual(limit)
            seen.push(...namesOf(page))
            next = page.next
          }
          expect(seen).toEqual(whole)
        }),
        { numRuns: 8 },
      )
    })

    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['after=nonsense', 'after'],
      [`after=${Buffer.from('["only one"]').toString('base64url')}`, 'after'],
      [`after=${Buffer.from('["a","b\\u0000"]').toString('base64url')}`, 'after'],
      [`text=${'x'.repeat(201)}`, 'text'],
      ['text=%00', 'text'],
      ['text=a&text=b', 'text'],
      ['color=red', 'color'],
      ['sort=colour', 'sort'],
      ['totals=yes', 'totals'],
    ])('rejects %s', async (query, name) => {
      expectBadParameter(await app.get(`/api/clients?${query}`), 'query', name)
    })
  })

  describe('one client', () => {
    it('has the number of parcels and the time of the last change of its map', async () => {
      await storeClient(database, 'counted', { name: 'Zz counted' })
      const mapId = 'counted'
      await storeFeatures(database, [
        aParcel({ mapId }),
        aParcel({ mapId }),
        anIncident({ mapId }),
        anIncident({ mapId, severity: null }),
        anIncident({ mapId, resolved: true }),
        anAsset({ mapId }),
        anAsset({ mapId, status: 'offline' }),
        anAsset({ mapId, status: 'maintenance' }),
        aGeneralFeature({ mapId, featureType: 'incident', status: 'offline' }),
      ])
      const before = Date.now()
      await storeChange(database, mapId, [aParcel({ mapId })])
      const client = await app.getJson<Client>('/api/clients/counted')
      expect(client).toEqual({
        id: 'counted',
        name: 'Zz counted',
        location: 'Payson, Arizona',
        properties: 3,
        lastUpdated: expect.any(String),
        thumbnail: expect.stringMatching(/^\/api\/clients\/counted\/thumbnail\?land=\d+$/),
        archivedAt: null,
        timeZone: null,
        version: 1,
        attention: {
          incidents: { high: 1, medium: 0, low: 0, unknown: 1 },
          offline: 1,
          maintenance: 1,
        },
      })
      expect(Date.parse(client.lastUpdated)).toBeGreaterThanOrEqual(before)
      expect((await list('?text=zz')).items).toEqual([client])
      await database.write((transaction) =>
        transaction.updateTable('clients').set({ archived_at: 1 }).where('map_id', '=', mapId).execute(),
      )
    })

    it.each(['nobody', 'closed', 'sample'])('is missing: %s', async (id) => {
      expectProblem(await app.get(`/api/clients/${id}`), 404)
    })

    it.each(['Not-A-Slug', 'a--b', '%20', 'x'.repeat(81), 'a%00'])('refuses the id %s', async (id) => {
      expectBadParameter(await app.get(`/api/clients/${id}`), 'path', 'mapId')
    })
  })
})
