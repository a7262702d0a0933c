import { expect, it } from 'vitest'
import { importFeatures } from '#server/imports/import-features.ts'
import { onEachEngine } from '#test/databases.ts'
import { options } from '#test/hydrant-imports.ts'
import { inputOf } from '#test/import-inputs.ts'
import { signIn } from '#test/signed-in.ts'
import { startTestApp } from '#test/test-app.ts'

onEachEngine('a gate code', (createDatabase) => {
  it('comes from a file, is told to staff and not to the public, and is null where it was never given', async () => {
    const database = await createDatabase()
    const file = inputOf('id,name,lat,lng,Gate\n1,A,34,-111,4711#\n')
    const { filled, kept } = await importFeatures(database, file, options)
    expect(filled).toContainEqual({ field: 'gateCode', column: 'Gate', rows: 1, notUnderstood: 0 })
    expect(kept).toEqual([])
    await using app = await startTestApp(database)
    const { items } = await app.getJson<{ items: { id: string }[] }>('/api/maps/oak-hill/features')
    const path = `/api/maps/oak-hill/features/${items[0]?.id}`
    const staff = await app.get(path, await signIn(database, ['editor:oak-hill']))
    expect(staff.json()).toMatchObject({ gateCode: '4711#' })
    expect((await app.get(path)).body).not.toContain('4711')
    const { fields } = await database.read.selectFrom('features').select('fields').executeTakeFirstOrThrow()
    const { gateCode, ...before } = JSON.parse(fields)
    expect(gateCode).toBe('4711#')
    await database.write((transaction) =>
      transaction
        .updateTable('features')
        .set({ fields: JSON.stringify(before) })
        .execute(),
    )
    const old = await app.get(path, await signIn(database, ['editor:oak-hill']))
    expect(old.json()).toMatchObject({ gateCode: null })
    expect(JSON.stringify(await app.getJson('/api/openapi.json'))).toContain('"gateCode"')
  })
})
