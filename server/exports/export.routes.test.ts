import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportFormats, formatFacts } from '#domain/exports/export-format.ts'
import { onEachEngine, type TestDatabase } from '#test/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/feature-builders.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

onEachEngine('an export', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      anIncident({ id: 'smoke', title: 'Smoke at the mill', date: '2026-05-20T08:30:00.000Z' }),
      anAsset({ id: 'tank', name: '=1+1', status: 'offline', geometry: point(-111.08, 34.06) }),
      aParcel({ id: 'lot', name: 'Mill lot', owner: 'Ann Zabriskie', geometry: square(-111.1, 34, 0.01) }),
    ])
    app = await startTestApp(database)
  })
  afterAll(() => app.close())
  it.each(exportFormats)('tries %s', async (format) => {
    const answer = await app.get(`/api/maps/oak-hills/export?format=${format}`)
    console.log(
      answer.statusCode,
      answer.headers['content-type'],
      answer.headers['content-disposition'],
      answer.rawPayload.length,
    )
    const path = join(mkdtempSync(join(tmpdir(), 'ex-')), `x.${formatFacts[format].ending}`)
    writeFileSync(path, answer.rawPayload)
    if (answer.statusCode !== 200) console.log(answer.body)
    else console.log(execFileSync('ogrinfo', ['-al', '-ro', '-q', path]).toString().slice(0, 1500))
    expect(answer.statusCode).toBe(200)
  })
})
