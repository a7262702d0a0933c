import { expect, it } from 'vitest'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeConfiguration } from '#test/databases/feature-builders.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem } from '#test/server/test-app.ts'

const trees = (rows: readonly string[]) => `No,What,State,Phone,Ward,Lat,Lon\n${rows.join('\n')}\n`
const four = trees([
  '1,Tree down,Clsd,555-1,North,34.2,-111.3',
  '2,fallen tree,open,555-2,North,34.21,-111.31',
  '3,Water,Clsd,555-3,South,34.22,-111.32',
  '4,Meteor,maybe,555-4,South,34.23,-111.33',
])
const settings = {
  kind: 'incident',
  columns: { id: 'No', type: 'What', resolved: 'State' },
  values: { type: { 'Tree down': 'fallen_tree', Water: 'flood' }, resolved: { clsd: 'yes', maybe: '' } },
  keptFor: { Phone: 'nobody' },
} as const

const metadataOf = async ({ read }: TestDatabase) => {
  const rows = await read.selectFrom('features').select('metadata').where('kind', '=', 'incident').execute()
  return rows.map(({ metadata }) => JSON.parse(metadata).map(({ name }: { name: string }) => name))
}

onEngine('sqlite', 'settings of columns', (createDatabase) => {
  it('translates words, and leaves columns out', async () => {
    const database = await createDatabase()
    const { app, prepare, change, step } = await startImports(database)
    const id = await prepare('trees.csv', four)
    const { values: _, ...unmatched } = settings
    const matched = await change(id, unmatched)
    expect(matched.words).toEqual([
      {
        field: 'type',
        column: 'What',
        values: [
          { said: 'Tree down', becomes: null },
          { said: 'fallen tree', becomes: 'fallen_tree' },
          { said: 'Water', becomes: null },
          { said: 'Meteor', becomes: null },
        ],
      },
      {
        field: 'resolved',
        column: 'State',
        values: [
          { said: 'Clsd', becomes: null },
          { said: 'open', becomes: 'no' },
          { said: 'maybe', becomes: null },
        ],
      },
    ])
    expect((await step(id, 'try')).outcome).toMatchObject({
      created: 1,
      refused: 3,
      filled: expect.arrayContaining([
        expect.objectContaining({
          field: 'type',
          notUnderstood: 3,
          unknown: ['Tree down', 'Water', 'Meteor'],
        }),
      ]),
    })
    await change(id, settings)
    const { outcome } = await step(id, 'try')
    expect(outcome).toMatchObject({
      created: 3,
      refused: 1,
      kept: ['Ward'],
      filled: expect.arrayContaining([
        expect.objectContaining({ field: 'type', rows: 3, unknown: ['Meteor'] }),
      ]),
    })
    await step(id, 'import')
    expect(await metadataOf(database)).toEqual(Array(3).fill(['No', 'Ward']))
    const answer = await app.get('/api/maps/oak-hills/export?format=geojson&kind=incident')
    const features = answer.json<{ features: { properties: Record<string, unknown> }[] }>().features
    const imported = features.map(({ properties: { type, resolved } }) => `${type} ${resolved}`)
    expect(imported.toSorted()).toEqual(['fallen_tree false', 'fallen_tree true', 'flood true'])
  })

  it('are a recipe for the next edition of the file', async () => {
    const database = await createDatabase()
    const { upload, prepare, change, done, step } = await startImports(database)
    const first = await prepare('trees-2025.csv', four, { ...settings, missing: 'mark', leftOut: [4] })
    await step(first, 'try')
    await step(first, 'import')

    const next = await upload('trees-2026.csv', trees(['1,Tree down,open,555-9,North,34.2,-111.3']))
    const withRecipe = await done(next)
    expect(withRecipe).toMatchObject({
      state: 'examined',
      settings: { ...settings, source: 'trees-2025', missing: 'mark', leftOut: [] },
      found: { recipe: { source: 'trees-2025', isEdition: true } },
    })
    expect((await step(next, 'try')).outcome).toMatchObject({ created: 0, updated: 1, refused: 0 })

    const restarted = await change(next, { takesRecipe: false })
    expect(restarted).toMatchObject({
      settings: { kind: null, source: 'trees-2026', columns: {}, values: {} },
    })
    expect(await done(next)).toMatchObject({ settings: { kind: null }, found: { recipe: null } })

    const south = await upload('benches.csv', four)
    expect(await done(south)).toMatchObject({
      settings: { kind: 'incident', source: 'benches', missing: 'keep', columns: settings.columns },
      found: { recipe: { source: 'trees-2025', isEdition: false } },
    })

    await step(first, 'undo')
    const late = await upload('trees-2027.csv', four)
    expect(await done(late)).toMatchObject({ settings: { kind: null }, found: { recipe: null } })

    const other = await upload('trees.csv', 'Nr,What,Lat,Lon\n1,Tree down,34.2,-111.3\n')
    expect(await done(other)).toMatchObject({ settings: { kind: null }, found: { recipe: null } })
  })

  it('publish a column only if a manager chooses it', async () => {
    const database = await createDatabase()
    const { app, ask, prepare, change, done, step } = await startImports(database)
    const id = await prepare('trees.csv', four)
    await change(id, settings)
    const everybody = { keptFor: { ...settings.keptFor, Ward: 'everybody' } }
    const refusal = expectProblem(await ask('PATCH', `/${id}/settings`, everybody), 400)
    expect(refusal.detail).toContain('by a manager of this map')
    const manager = await signIn(database, ['manager:oak-hills'], { id: 'mia', name: 'Mia' })
    const early = expectProblem(await ask('PATCH', `/${id}/settings`, everybody, manager), 400)
    expect(early.detail).toContain('after you apply a map configuration')
    await storeConfiguration(database, 'oak-hills', 1, defaultMapConfiguration)
    expect((await ask('PATCH', `/${id}/settings`, everybody, manager)).statusCode).toBe(200)
    await change(id, { missing: 'mark' })
    await step(id, 'try')
    expectProblem(await ask('POST', `/${id}/import`), 400)
    expect((await ask('POST', `/${id}/import`, undefined, manager)).statusCode).toBe(200)
    expect((await done(id)).state).toBe('imported')
    const { configuration } = (await app.get('/api/maps/oak-hills/configuration')).json()
    expect(configuration.publicMetadata).toEqual(['Ward'])
  })

  it('start over for another layer, and examine again for other columns of places', async () => {
    const database = await createDatabase()
    const { upload, prepare, change, done } = await startImports(database)
    const tables = ['trees', 'benches'].map((name) => ({ name: `${name}.csv`, bytes: four }))
    const id = await prepare('city.zip', zipOf(tables), { layer: 'trees.csv' })
    await done(id)
    await change(id, { ...settings, missing: 'remove' })
    const other = await change(id, { layer: 'benches.csv' })
    expect(other.settings).toMatchObject({
      kind: null,
      missing: 'keep',
      columns: {},
      source: 'city benches.csv',
    })
    await done(id)

    const feet = await upload('odd.csv', 'Nr,Easting,Northing\n1,949000,1110000\n')
    expect((await done(feet)).found).toMatchObject({ suggested: [], extent: null })
    const columns = { longitude: 'Easting', latitude: 'Northing' }
    await change(feet, { kind: 'asset', columns })
    expect((await done(feet)).found).toMatchObject({
      layers: [{ needsProjection: true }],
      suggested: expect.arrayContaining([expect.objectContaining({ projection: 'EPSG:2223' })]),
    })
  })
})
