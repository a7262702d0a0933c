import { expect, it } from 'vitest'
import { detectedLayout } from '#domain/imports/import-layout.schema.ts'
import { onEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'
import { expectProblem } from '#test/test-app.ts'

const titled = `Oak Hollow;;;;
No;Name;Place;Seen;Street
1;Gate;POINT (-111.3 34.2);01/02/2021;Elm St
2;Pond;POINT (-111.31 34.21);03/04/2021;Oak St
3;Mill;POINT (-111.32 34.22);soon;Oak St
`

onEngine('sqlite', 'the layout of a file', (createDatabase) => {
  it('is detected, asked where it is unclear, overridden, and kept for the next edition', async () => {
    const { good, ask, bring, done, step } = await startImports(await createDatabase())
    const id = await bring('trees-2025.csv', titled)
    expect((await done(id)).found?.layout).toMatchObject({
      headerRow: 2,
      firstRows: [
        ['Oak Hollow', '', '', '', ''],
        ['No', 'Name', 'Place', 'Seen', 'Street'],
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
      geometryColumn: { name: 'Place', notation: 'wkt', isOfPoints: true },
      dates: [{ column: 'Seen', order: null, examples: ['01/02/2021', '03/04/2021'] }],
    })
    await good('PATCH', `/${id}/settings`, { kind: 'incident' })
    const matched = await good('PATCH', `/${id}/settings`, { columns: { id: 'No' } })
    expect(matched.matches).toMatchObject({ No: 'id', Name: 'title', Place: 'wkt' })

    // By its name nothing is the date; named, rows are refused until somebody says which comes first.
    await good('PATCH', `/${id}/settings`, { columns: { id: 'No', date: 'Seen' } })
    expect((await step(id, 'try')).outcome).toMatchObject({
      created: 0,
      refused: 3,
      unclearDates: [{ column: 'Seen' }],
      doubts: [expect.stringContaining('could be day first or month first')],
      filled: expect.arrayContaining([
        expect.objectContaining({
          column: 'Seen',
          notUnderstood: 3,
          unknownRows: expect.arrayContaining([{ row: 3, value: 'soon' }]),
        }),
      ]),
    })
    const layout = {
      ...detectedLayout,
      dates: { Seen: 'day-first' },
      joined: { title: ['Name', 'Street'] },
      constants: { severity: 'low' },
    }
    await good('PATCH', `/${id}/settings`, { layout })
    expect((await step(id, 'try')).outcome).toMatchObject({
      created: 2,
      refused: 1,
      doubts: [],
      unclearDates: [],
    })
    await step(id, 'import')

    const next = await bring('trees-2026.csv', titled.replace('Gate', 'Door'))
    expect((await done(next)).settings.layout).toEqual(layout)
    expect((await step(next, 'try')).outcome).toMatchObject({ updated: 1, unchanged: 1 })

    // Another row names the columns: the file is looked at again.
    const other = await good('PATCH', `/${next}/settings`, { layout: { ...layout, headerRow: 3 } })
    expect(other.state).toBe('examining')
    expect((await done(next)).found?.columns.map(({ name }) => name)[1]).toBe('Door')

    const wrong = { ...detectedLayout, constants: { owner: 'Ann' } }
    expectProblem(await ask('PATCH', `/${next}/settings`, { layout: wrong }), 400)
  }, 60_000)
})
