import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { TrialRows } from '#domain/imports/import-trial.schema.ts'
import { onEngine } from '#test/databases/databases.ts'
import { s3Credentials, startS3Server } from '#test/databases/s3-server.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { openS3Store } from '../../blob-stores/s3-store.ts'
import { removeUnusedFiles } from '../../files/remove-unused-files.ts'

const dayMs = 86_400_000
const three = 'Nr,Label,Lat,Lon\n1,North gate,34.2,-111.3\n2,Pond,34.21,-111.31\n3,Nowhere,,\n'
const settings = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' } }

onEngine('sqlite', 'an import on several servers', (createDatabase) => {
  it('shows its newest preview on each of them if they share a store', async () => {
    const database = await createDatabase()
    const s3 = await startS3Server()
    onTestFinished(() => s3[Symbol.asyncDispose]())
    const fileStore = { url: s3.url, ...s3Credentials }
    const store = openS3Store(fileStore)
    const { app, prepare, change, step, trial } = await startImports(database, { fileStore })
    const elsewhere = join(database.location.dataDirectory, 'other-server')
    const other = await startTestApp(database, { store, settings: { DATA_DIR: elsewhere } })
    onTestFinished(() => other.close())
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
    const outcomesOnOther = async (id: string) => {
      const { items } = (await other.send(trial(id))).json<TrialRows>()
      return items.map(({ outcome }) => outcome)
    }

    const id = await prepare('hydrants.csv', three)
    const { headers } = trial(id)
    const sample = { method: 'GET' as const, url: `/api/maps/oak-hills/import-drafts/${id}/sample`, headers }
    expect((await other.send(sample)).body).toBe((await app.send(sample)).body)
    await change(id, settings)
    await step(id, 'try')
    expect(await outcomesOnOther(id)).toEqual(['created', 'created', 'refused'])
    await change(id, { leftOut: [1] })
    await step(id, 'try')
    expect(await outcomesOnOther(id)).toEqual(['left-out', 'created', 'refused'])

    const named = () =>
      [...s3.objects.keys()].map((key) => key.replace(/^.*?\.(sample|trial)?.*$/, '$1')).toSorted()
    expect(named()).toEqual(['', 'sample', 'trial', 'trial'])
    await removeUnusedFiles(database, store, Date.now() + 2 * dayMs)
    expect(named()).toEqual(['', 'sample', 'trial'])
    await step(id, 'import')
    await removeUnusedFiles(database, store, Date.now() + 2 * dayMs)
    expect(named()).toEqual(['', 'sample'])
  })

  it('reports that the preview is on another server if they do not', async () => {
    const database = await createDatabase()
    const { prepare, step, trial } = await startImports(database)
    const elsewhere = join(database.location.dataDirectory, 'other-server')
    const other = await startTestApp(database, { settings: { DATA_DIR: elsewhere } })
    onTestFinished(() => other.close())
    const id = await prepare('hydrants.csv', three, settings)
    await step(id, 'try')
    expect(expectProblem(await other.send(trial(id)), 404).detail).toBe(
      `The preview of import ${id} is on another server. Preview it again.`,
    )
  })
})
