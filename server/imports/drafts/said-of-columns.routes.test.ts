import { expect, it } from 'vitest'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import { storeConfiguration } from '#test/feature-builders.ts'
import { startImports } from '#test/import-drafts.ts'
import { signIn } from '#test/signed-in.ts'
import { expectProblem } from '#test/test-app.ts'

const trees = (rows: readonly string[]) => `No,What,State,Phone,Ward,Lat,Lon\n${rows.join('\n')}\n`
const four = trees([
  '1,Tree down,Clsd,555-1,North,34.2,-111.3',
  '2,fallen tree,open,555-2,North,34.21,-111.31',
  '3,Water,Clsd,555-3,South,34.22,-111.32',
  '4,Meteor,maybe,555-4,South,34.23,-111.33',
])
const said = {
  kind: 'incident',
  columns: { id: 'No', type: 'What', resolved: 'State' },
  values: { type: { 'Tree down': 'fallen_tree', Water: 'flood' }, resolved: { clsd: 'yes', maybe: '' } },
  keptFor: { Phone: 'nobody' },
} as const

const metadataOf = async ({ read }: TestDatabase) => {
  const rows = await read.selectFrom('features').select('metadata').where('kind', '=', 'incident').execute()
  return rows.map(({ metadata }) => JSON.parse(metadata).map(({ name }: { name: string }) => name))
}

onEachEngine('what is said of the columns of files', (createDatabase) => {
  it('tells what their words mean, and for whom they stay', async () => {
    const database = await createDatabase()
    const { app, good, bring, done, step } = await startImports(database)
    const id = await bring('trees.csv', four)
    await done(id)
    const { values: _, ...unmatched } = said
    const matched = await good('PATCH', `/${id}/settings`, unmatched)
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
    await good('PATCH', `/${id}/settings`, said)
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
    const told = features.map(({ properties: { type, resolved } }) => `${type} ${resolved}`)
    expect(told.toSorted()).toEqual(['fallen_tree false', 'fallen_tree true', 'flood true'])
  }, 60_000)

  it('is a recipe, which the next edition of them takes by itself', async () => {
    const database = await createDatabase()
    const { good, bring, done, step, ask } = await startImports(database)
    const first = await bring('trees-2025.csv', four)
    await done(first)
    await good('PATCH', `/${first}/settings`, { ...said, leftOut: [4] })
    await step(first, 'try')
    await step(first, 'import')

    const next = await bring('trees-2026.csv', trees(['1,Tree down,open,555-9,North,34.2,-111.3']))
    const taken = await done(next)
    expect(taken).toMatchObject({
      state: 'examined',
      settings: { ...said, source: 'trees-2025', leftOut: [] },
      found: { recipe: { source: 'trees-2025' } },
    })
    expect((await step(next, 'try')).outcome).toMatchObject({ created: 0, updated: 1, refused: 0 })

    // It is said anew, and stays so.
    const anew = await good('PATCH', `/${next}/settings`, { takesRecipe: false })
    expect(anew).toMatchObject({ settings: { kind: null, source: 'trees-2026', columns: {}, values: {} } })
    expect(await done(next)).toMatchObject({ settings: { kind: null }, found: { recipe: null } })

    // Other columns are other files.
    const other = await bring('trees.csv', 'Nr,What,Lat,Lon\n1,Tree down,34.2,-111.3\n')
    expect(await done(other)).toMatchObject({ settings: { kind: null }, found: { recipe: null } })
    expect((await ask('GET', `/${other}`)).statusCode).toBe(200)
  }, 60_000)

  it('shows a column to everybody where a manager says so', async () => {
    const database = await createDatabase()
    const { app, good, ask, bring, done, step } = await startImports(database)
    const id = await bring('trees.csv', four)
    await done(id)
    await good('PATCH', `/${id}/settings`, said)
    const everybody = { keptFor: { ...said.keptFor, Ward: 'everybody' } }
    const refusal = expectProblem(await ask('PATCH', `/${id}/settings`, everybody), 400)
    expect(refusal.detail).toContain('by a manager of this map alone')
    const manager = await signIn(database, ['manager:oak-hills'], { id: 'mia', name: 'Mia' })
    const early = expectProblem(await ask('PATCH', `/${id}/settings`, everybody, manager), 400)
    expect(early.detail).toContain('as soon as a configuration of this map is applied')
    await storeConfiguration(database, 'oak-hills', 1, defaultMapConfiguration)
    expect((await ask('PATCH', `/${id}/settings`, everybody, manager)).statusCode).toBe(200)
    await step(id, 'try')
    // Nor does somebody else import it.
    expectProblem(await ask('POST', `/${id}/import`), 400)
    expect((await ask('POST', `/${id}/import`, undefined, manager)).statusCode).toBe(200)
    expect((await done(id)).state).toBe('imported')
    const { configuration } = (await app.get('/api/maps/oak-hills/configuration')).json()
    expect(configuration.publicMetadata).toEqual(['Ward'])
  }, 60_000)
})
