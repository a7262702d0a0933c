import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type ExportFormat, exportFormats, formatFacts } from '#domain/exports/export-format.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { aDrawing, startDrawings } from '#test/server/drawings.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem } from '#test/server/test-app.ts'

const path = '/api/maps/oak-hills/drawings/export'

onEachEngine('an export of drawings', (createDatabase) => {
  it('has all drawings, oldest first, with all properties', async () => {
    const { app, add, list, rosa, grace } = await startDrawings(await createDatabase())
    await using _ = app
    const pond = aDrawing({ name: 'Pond', note: 'Deep' })
    await add([pond])
    await add([aDrawing({ kind: 'marker', geometry: { type: 'Point', coordinates: [-111, 34] } })], grace)
    for (let count = 0; count < 500; count += 250)
      await add(Array.from({ length: 250 }, () => aDrawing({ id: randomUUID() })))
    await add([aDrawing()], rosa, 'elm-park')
    const answer = await app.get(`${path}?format=geojson`, rosa)
    expect(answer.statusCode).toBe(200)
    const { features } = answer.json()
    const { items } = await list(rosa, 'oak-hills', '?limit=500')
    expect(features).toHaveLength(502)
    expect(features.slice(0, 500).map(({ id }: { id: string }) => id)).toEqual(items.map(({ id }) => id))
    expect(features.find(({ id }: { id: string }) => id === pond.id)).toEqual({
      type: 'Feature',
      id: pond.id,
      geometry: pond.geometry,
      properties: {
        id: pond.id,
        kind: 'rectangle',
        mapId: 'oak-hills',
        name: 'Pond',
        note: 'Deep',
        author: 'Rosa Delgado',
        createdAt: items.find(({ id }) => id === pond.id)?.createdAt,
        updatedBy: 'Rosa Delgado',
        updatedAt: items.find(({ id }) => id === pond.id)?.updatedAt,
      },
    })
  })
})

onEngine('sqlite', 'an export of drawings', (createDatabase) => {
  it('orients rings as in GeoJSON', async () => {
    const { app, add, rosa } = await startDrawings(await createDatabase())
    await using _ = app
    const clockwise: [number, number][] = [
      [-111, 34],
      [-111, 35],
      [-110, 35],
      [-111, 34],
    ]
    await add([aDrawing({ kind: 'polygon', geometry: { type: 'Polygon', coordinates: [clockwise] } })])
    const { features } = (await app.get(`${path}?format=geojson`, rosa)).json()
    expect(features[0].geometry.coordinates).toEqual([clockwise.toReversed()])
  })

  it('has words and local times for reading', async () => {
    const { app, add, list, rosa } = await startDrawings(await createDatabase())
    await using _ = app
    await add([aDrawing({ name: 'Pond', note: '=Deep' })])
    const [drawing] = (await list(rosa, 'oak-hills')).items
    const { body } = await app.get(`${path}?format=csv&form=reading`, rosa)
    // Without land, times are in UTC.
    const at = drawing?.createdAt.slice(0, 16).replace('T', ' ')
    expect(body.split('\r\n')).toEqual([
      '\ufeffKind,Name,Note,Author,Created,Changed by,Changed',
      `Rectangle,Pond,'=Deep,Rosa Delgado,${at},Rosa Delgado,${at}`,
      '',
    ])
    expectBadParameter(await app.get(`${path}?format=kml&form=reading`, rosa), 'query', 'form')
  })

  it('is a complete file in every format, even without drawings, for staff only', async () => {
    const { app, add, database, rosa } = await startDrawings(await createDatabase())
    await using _ = app
    const expectComplete = async (format: ExportFormat) => {
      const answer = await app.get(`${path}?format=${format}`, rosa)
      expect(answer.statusCode, answer.body).toBe(200)
      const { ending, mediaType } = formatFacts[format]
      expect(answer.headers['content-type']).toContain(mediaType)
      expect(answer.headers['content-disposition']).toMatch(/oak-hills-drawings-\d{4}-\d\d-\d\d/)
      expect(answer.headers['content-disposition']).toContain(`.${ending}"`)
    }
    for (const format of ['geojson', 'csv', 'gpx', 'shp'] as const) await expectComplete(format)
    await add([
      aDrawing(),
      aDrawing({
        kind: 'marker',
        name: 'Well',
        note: 'Dry',
        geometry: { type: 'Point', coordinates: [-111, 34] },
      }),
    ])
    for (const format of exportFormats) await expectComplete(format)
    const { body } = await app.get(`${path}?format=gpx`, rosa)
    expect(body.match(/<wpt [^>]*><name>Well</g)).toHaveLength(1)
    expect(body.match(/<name>Well<\/name><desc>Dry<\/desc>/g)).toHaveLength(1)
    expectBadParameter(await app.get(path, rosa), 'query', 'format')
    expectBadParameter(await app.get(`${path}?format=doc`, rosa), 'query', 'format')
    expectProblem(await app.get(`${path}?format=csv`), 401)
    expectProblem(await app.get(`${path}?format=csv`, await signIn(database, ['manager:elm-park'])), 403)
    expectProblem(await app.get('/api/maps/closed/drawings/export?format=csv', await signIn(database)), 404)
  })
})
