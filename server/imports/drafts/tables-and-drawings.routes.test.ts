import { expect, it } from 'vitest'
import type { TrialRows } from '#domain/imports/import-trial.schema.ts'
import { onEngine } from '#test/databases.ts'
import { dxfOf } from '#test/drawing-exchange.ts'
import { startImports } from '#test/import-drafts.ts'
import { odsOf } from '#test/spreadsheets.ts'

onEngine('sqlite', 'a table or a drawing of an office', (createDatabase) => {
  it('is an OpenDocument spreadsheet: its first row names the columns', async () => {
    const { app, good, bring, done, step, trial } = await startImports(await createDatabase())
    const table = [
      ['No', 'Label', 'Lat', 'Lon'],
      ['007', 'Élan pond', '34.2', '-111.3'],
      ['8', 'Gate', '', ''],
    ]
    const id = await bring('lots.ods', await odsOf(table))
    const looked = await done(id)
    expect(looked).toMatchObject({ state: 'examined', found: { layers: [{ label: 'Lots', rows: 2 }] } })
    expect(looked.found?.columns.map(({ name }) => name)).toEqual(table[0])
    await good('PATCH', `/${id}/settings`, {
      kind: 'asset',
      type: 'water',
      columns: { id: 'No', name: 'Label' },
    })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 1, refused: 1 })
    const { items } = (await app.send(trial(id))).json<TrialRows>()
    expect(items).toMatchObject([
      { name: 'Élan pond', place: { lat: 34.2, lng: -111.3 } },
      { sourceId: '8', reason: 'it has no latitude and no longitude' },
    ])
  }, 60_000)

  it('is a DXF drawing: the land of the map tells its projection, and each line says its layer', async () => {
    const { app, good, ask, bring, done, step, trial } = await startImports(await createDatabase())
    const side = 200
    // Feet, as offices of Arizona have them.
    const square = (x: number, y: number) =>
      [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
      ] as const
    const id = await bring(
      'land.dxf',
      dxfOf({ LOTS: square(949_000, 1_110_000), POOL: square(949_500, 1_110_200) }),
    )
    const looked = await done(id)
    expect(looked).toMatchObject({
      state: 'examined',
      found: {
        layer: null,
        layers: [{ needsProjection: true, rows: 2 }],
        suggested: [{ projection: 'EPSG:2223', kilometersOff: 0 }, { projection: 'EPSG:26749' }],
      },
    })
    await good('PATCH', `/${id}/settings`, { projection: 'EPSG:2223' })
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'asset', type: 'facility', columns: { name: 'Layer' } })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 2, refused: 0, doubts: [] })
    const { items } = (await app.send(trial(id))).json<TrialRows>()
    expect(items.map(({ name }) => name)).toEqual(['LOTS', 'POOL'])
    expect(items[0]?.place?.lng).toBeCloseTo(-111.09, 1)
    expect((await ask('GET', `/${id}/sample`)).json().features).toHaveLength(2)
  }, 60_000)
})
