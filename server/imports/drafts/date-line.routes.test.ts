import { expect, it } from 'vitest'
import { onEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'

const islands = `id,name,longitude,latitude
1,Naitaba,-179.27,-17.02
2,Taveuni,179.98,-16.85
3,Rabi,179.97,-16.5
`

onEngine('sqlite', 'a file of places on both sides of the date line', (createDatabase) => {
  it('has an extent across the date line when it is examined, tried and imported', async () => {
    const { good, bring, done, step } = await startImports(await createDatabase())
    const crossing = { west: 179.97, south: -17.02, east: -179.27, north: -16.5 }
    const id = await bring('islands.csv', islands)
    expect((await done(id)).found?.extent).toEqual(crossing)
    await good('PATCH', `/${id}/settings`, { kind: 'asset', type: 'water' })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 3, extent: crossing })
    expect((await step(id, 'import')).outcome).toMatchObject({ created: 3, extent: crossing })
  })
})
