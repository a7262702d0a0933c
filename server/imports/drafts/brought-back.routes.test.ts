import { expect, it } from 'vitest'
import type { TrialPlaces, TrialRows } from '#domain/imports/import-trial.schema.ts'
import { onEachEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'

// Files that have left here and come back through the page, changed by somebody.

onEachEngine('a file that comes back', (createDatabase) => {
  it('is an export without places: each feature stays where it is, and one that is not there has no place', async () => {
    const database = await createDatabase()
    const { app, good, bring, done, step, trial } = await startImports(database)
    const place = await database.read
      .selectFrom('features')
      .select(['geometry', 'lng', 'lat', 'west', 'size', 'shape'])
      .executeTakeFirstOrThrow()
    const rows = ['tank,asset,oak-hills,North tank', ',asset,oak-hills,Shed', 'shed,asset,oak-hills,Shed']
    const id = await bring('assets.csv', ['id,kind,mapId,name', ...rows].join('\n'))
    expect(await done(id)).toMatchObject({ state: 'examined', found: { extent: null, suggested: [] } })
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    expect((await step(id, 'try')).outcome).toMatchObject({ updated: 1, refused: 2, created: 0, doubts: [] })

    const { items } = (await app.send(trial(id))).json<TrialRows>()
    const { lng, lat } = place
    expect(items).toMatchObject([
      {
        rowNumber: 1,
        outcome: 'updated',
        place: { lng, lat },
        changes: [{ field: 'name', after: 'North tank' }],
      },
      { rowNumber: 2, outcome: 'refused', place: null, reason: 'it has no latitude and no longitude' },
      {
        rowNumber: 3,
        outcome: 'refused',
        place: null,
        reason: 'it says no place, and there is no feature shed here that has one',
        columns: expect.arrayContaining([['name', 'Shed']]),
      },
    ])
    expect(items[0]?.changes).toHaveLength(1)
    const { features } = (await app.send(trial(id, '/places?bbox=-180,-90,180,90'))).json<TrialPlaces>()
    expect(features).toMatchObject([{ geometry: JSON.parse(place.geometry), properties: { rowNumber: 1 } }])

    expect(await step(id, 'import')).toMatchObject({ state: 'imported', outcome: { updated: 1, refused: 2 } })
    const [now, ...others] = await database.read.selectFrom('features').selectAll().execute()
    expect(now).toMatchObject({ ...place, name: 'North tank', version: 2 })
    expect(others).toEqual([])
  }, 60_000)

  it('is that of refused rows, mended: what was wrong with them does not stay with the features', async () => {
    const database = await createDatabase()
    const { app, good, bring, done, step, trial } = await startImports(database)
    const said = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' } }
    const id = await bring(
      'hydrants.csv',
      'Nr,Label,Ward,Lat,Lon\n1,Pond,North,,\n2,Gate,South,34.2,-111.3\n',
    )
    await done(id)
    await good('PATCH', `/${id}/settings`, said)
    await step(id, 'try')
    const refused = (await app.send(trial(id, '/refused'))).body
    expect(refused).toContain('Lon,problem\r\n')
    const mended = refused.replace('North,,', 'North,34.21,-111.31')

    const next = await bring('hydrants.csv', mended)
    await done(next)
    const answer = await good('PATCH', `/${next}/settings`, said)
    expect(answer.matches).not.toHaveProperty('problem')
    expect((await step(next, 'try')).outcome).toMatchObject({ created: 1, refused: 0, kept: ['Ward'] })
    // Somebody may want it all the same.
    await good('PATCH', `/${next}/settings`, { keptFor: { problem: 'staff' } })
    expect((await step(next, 'try')).outcome).toMatchObject({ kept: ['Ward', 'problem'] })
    await good('PATCH', `/${next}/settings`, { keptFor: {} })
    await step(next, 'try')
    await step(next, 'import')
    const { metadata } = await database.read
      .selectFrom('features')
      .select('metadata')
      .where('name', '=', 'Pond')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(metadata).map(({ name }: { name: string }) => name)).toEqual(['Nr', 'Ward'])
  }, 60_000)

  it('has a column for problems of its own: then what is wrong with its rows stands in another one', async () => {
    const { app, good, bring, done, step, trial } = await startImports(await createDatabase())
    const id = await bring('trees.csv', 'Nr,problem,Lat,Lon\n1,Leans,,\n2,Fell,34.2,-111.3\n')
    await done(id)
    await good('PATCH', `/${id}/settings`, {
      kind: 'incident',
      type: 'fallen_tree',
      columns: { title: 'problem' },
    })
    await step(id, 'try')
    const { body } = await app.send(trial(id, '/refused'))
    expect(body).toContain(
      'Nr,problem,Lat,Lon,problem of import\r\n1,Leans,,,it has no latitude and no longitude\r\n',
    )
  }, 60_000)

  it('is an export of a feature that has further data called problem, which stays', async () => {
    const database = await createDatabase()
    const { good, bring, done, step } = await startImports(database)
    const further = [{ name: 'problem', value: 'Leaks' }]
    const quoted = JSON.stringify(JSON.stringify(further)).replaceAll('\\"', '""')
    const id = await bring('assets.csv', `id,kind,mapId,metadata\ntank,asset,oak-hills,${quoted}\n`)
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    await step(id, 'try')
    await step(id, 'import')
    const { metadata } = await database.read
      .selectFrom('features')
      .select('metadata')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(metadata)).toEqual(further)
  }, 60_000)
})
