import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

onEachEngine('limits of reports', (createDatabase) => {
  async function start(settings: Record<string, string>): Promise<[TestApp, TestDatabase]> {
    const database = await createDatabase()
    for (const mapId of ['oak-hills', 'elm-park']) await storeClient(database, mapId)
    return [await startTestApp(database, { settings }), database]
  }
  const report = (app: TestApp, mapId = 'oak-hills') => {
    const payload = { id: randomUUID(), key: 'ab'.repeat(16), type: 'flood', place: { lat: 34, lng: -111 } }
    return app.send({ method: 'POST', url: `/api/maps/${mapId}/reports`, payload })
  }

  it('count those of an association from all addresses', async () => {
    const [app] = await start({ REPORTS_PER_HOUR: '50', REPORTS_PER_HOUR_OF_MAP: '2' })
    for (const status of [201, 201, 429]) expect((await report(app)).statusCode).toBe(status)
    expect(expectProblem(await report(app), 429).detail).toMatch(
      /^This association has received 2 reports within an hour.* Try again in \d+ minutes/,
    )
    expect((await report(app, 'elm-park')).statusCode).toBe(201)
    await app.close()
  })

  it('of an address keep it from using up that of the association', async () => {
    const [app] = await start({ REPORTS_PER_HOUR: '1', REPORTS_PER_HOUR_OF_MAP: '2' })
    for (const status of [201, 429, 429, 429]) expect((await report(app)).statusCode).toBe(status)
    expect(expectProblem(await report(app), 429).detail).toMatch(/^This address has sent 1 report /)
    await app.close()
  })

  it('refuse none while they are only measured', async () => {
    const [app, database] = await start({
      REPORTS_PER_HOUR: '1',
      REPORTS_PER_HOUR_OF_MAP: '1',
      REPORT_LIMITS: 'measure',
    })
    for (let count = 0; count < 3; count++) expect((await report(app)).statusCode).toBe(201)
    const rows = await database.read
      .selectFrom('reports')
      .select('id')
      .where('map_id', '=', 'oak-hills')
      .execute()
    expect(rows).toHaveLength(3)
    await app.close()
  })
})
