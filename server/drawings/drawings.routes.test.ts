import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Drawing, NewDrawing } from '#domain/drawings/drawing.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { aDrawing, drawingFields, startDrawings } from '#test/server/drawings.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem } from '#test/server/test-app.ts'

onEachEngine('drawings', (createDatabase) => {
  const start = async () => startDrawings(await createDatabase())

  it('are saved with their author, and listed in the order of creation', async () => {
    const { app, add, list, rosa } = await start()
    await using _ = app
    const before = Date.now()
    const first = aDrawing({ name: 'New fence', note: 'to be agreed' })
    const answer = await add([first])
    expect(answer.statusCode).toBe(201)
    const [saved] = answer.json().items as Drawing[]
    const { createdAt, updatedAt, ...rest } = saved as Drawing
    expect(rest).toEqual({
      ...first,
      mapId: 'oak-hills',
      author: 'Rosa Delgado',
      isOwn: true,
      updatedBy: 'Rosa Delgado',
      version: 1,
    })
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before)
    expect(updatedAt).toBe(createdAt)
    await add([aDrawing({ kind: 'marker', geometry: { type: 'Point', coordinates: [-111, 34] } })])
    const { items } = await list(rosa)
    expect(items).toHaveLength(2)
    expect(items[0]).toEqual(saved)
    expect(await list(rosa, 'elm-park')).toEqual({ items: [], next: null })
  })

  it('are visible to all staff of the map, and mark the user’s own', async () => {
    const { app, add, list, grace, rosa } = await start()
    await using _ = app
    await add([aDrawing()])
    const ownOf = async (headers: Record<string, string>) =>
      (await list(headers)).items.map(({ isOwn }) => isOwn)
    expect([await ownOf(rosa), await ownOf(grace)]).toEqual([[true], [false]])
  })

  it('have stable pages while others draw', async () => {
    const { app, add, list, rosa } = await start()
    await using _ = app
    const drawings = Array.from({ length: 7 }, () => aDrawing())
    await add(drawings)
    const seen: string[] = []
    for (let after = ''; ; ) {
      const page = await list(rosa, 'oak-hills', `?limit=3${after && `&after=${after}`}`)
      seen.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      after = page.next
    }
    expect(seen).toEqual(drawings.map(({ id }) => id).toSorted())
    const { get } = app
    expectBadParameter(await get('/api/maps/oak-hills/drawings?after=nonsense', rosa), 'query', 'after')
    expectBadParameter(await get('/api/maps/oak-hills/drawings?limit=501', rosa), 'query', 'limit')
  })

  it('sent again are not duplicated, and returned in their current state', async () => {
    const { app, add, change, list, rosa, activities } = await start()
    await using _ = app
    const drawing = aDrawing()
    const answers = await Promise.all(Array.from({ length: 20 }, () => add([drawing])))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect((await list(rosa)).items).toHaveLength(1)
    await change(drawing.id, { ...drawingFields(drawing), name: 'Renamed' }, '"1"')
    const again = (await add([drawing, aDrawing()])).json().items as Drawing[]
    expect(again.map(({ name, version }) => [name, version])).toEqual([
      ['Renamed', 2],
      ['', 1],
    ])
    expect((await activities()).map(({ action, details }) => [action, details.count])).toEqual([
      ['drawing.added', 1],
      ['drawing.changed', undefined],
      ['drawing.added', 1],
    ])
  })

  it('cannot use the id of another user’s drawing', async () => {
    const { app, add, list, grace } = await start()
    await using _ = app
    const drawing = aDrawing({ name: 'Rosa’s' })
    await add([drawing])
    expectProblem(await add([{ ...drawing, name: 'Grace’s' }, aDrawing()], grace), 409)
    expect((await list(grace)).items.map(({ name }) => name)).toEqual(['Rosa’s'])
    expect((await add([drawing], grace, 'elm-park')).statusCode).toBe(201)
  })

  const square = [
    [-111, 34],
    [-110, 34],
    [-110, 35],
    [-111, 34],
  ]
  const spoilt: [string, object][] = [
    ['no kind', { kind: undefined }],
    ['an unknown kind', { kind: 'heart' }],
    ['a kind of another geometry', { kind: 'marker' }],
    ['no geometry', { geometry: null }],
    ['a latitude out of range', { kind: 'marker', geometry: { type: 'Point', coordinates: [-111, 90.1] } }],
    ['a longitude out of range', { kind: 'marker', geometry: { type: 'Point', coordinates: [-181, 34] } }],
    ['a height', { kind: 'marker', geometry: { type: 'Point', coordinates: [-111, 34, 5] } }],
    [
      'a line of one point',
      { kind: 'polyline', geometry: { type: 'LineString', coordinates: [[-111, 34]] } },
    ],
    ['an open ring', { geometry: { type: 'Polygon', coordinates: [[...square.slice(0, 3), [-111, 35]]] } }],
    ['a ring of three', { geometry: { type: 'Polygon', coordinates: [square.slice(1)] } }],
    ['a hole', { geometry: { type: 'Polygon', coordinates: [square, square] } }],
    ['several polygons', { geometry: { type: 'MultiPolygon', coordinates: [[square]] } }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['a name with NUL', { name: 'a\0b' }],
    ['a note with half a character', { note: '\ud800' }],
    ['a long note', { note: 'x'.repeat(2_001) }],
    ['an id that is none', { id: 'x' }],
    ['an author of its own', { author: 'Somebody else' }],
  ]
  it('are refused if they are invalid', async () => {
    const { app, add, change, list, rosa } = await start()
    await using _ = app
    const saved = aDrawing()
    await add([saved])
    for (const [what, fields] of spoilt) {
      const drawing = { ...aDrawing(), ...fields } as NewDrawing
      const { errors } = expectProblem(await add([aDrawing(), drawing]), 400)
      expect(errors?.[0]?.name, what).toMatch(/^items\.1|author/)
      if ('id' in fields) continue
      expectProblem(await change(saved.id, drawingFields(drawing), '"1"'), 400)
    }
    expect((await list(rosa)).items).toEqual([expect.objectContaining({ id: saved.id, version: 1 })])
  })

  it('are refused above the limit', async () => {
    const { app, add, change } = await start()
    await using _ = app
    expectProblem(await add([]), 400)
    const twice = aDrawing()
    expectProblem(await add([twice, twice]), 400)
    expectProblem(await add(Array.from({ length: 501 }, () => aDrawing())), 400)
    expectProblem(await add([aDrawing({ note: 'x'.repeat(2_200_000) })]), 413)
    const full = Array.from({ length: 500 }, () => aDrawing())
    for (let count = 0; count < 10; count += 1)
      expect((await add(full.map((one) => ({ ...one, id: randomUUID() })))).statusCode).toBe(201)
    const one = aDrawing()
    const { detail } = expectProblem(await add([one]), 400)
    expect(detail).toBe('items: a map can have at most 5,000 drawings. Delete some first')
    expect((await add([one], undefined, 'elm-park')).statusCode).toBe(201)
    const path = (points: number) =>
      ({
        type: 'LineString',
        coordinates: Array.from({ length: points }, () => [-111, 34]),
      }) as NewDrawing['geometry']
    const long = (points: number) => aDrawing({ kind: 'polyline', geometry: path(points) })
    const add1 = (drawing: NewDrawing) => add([drawing], undefined, 'elm-park')
    expectProblem(await add1(long(20_001)), 400)
    for (let count = 0; count < 9; count += 1) expect((await add1(long(20_000))).statusCode).toBe(201)
    const last = long(19_990)
    expect((await add1(last)).statusCode).toBe(201)
    expect(expectProblem(await add1(long(6)), 400).detail).toContain('200,000 points')
    const longer = { ...drawingFields(last), geometry: path(19_996) }
    expectProblem(await change(last.id, longer, '"1"', { mapId: 'elm-park' }), 400)
    const fitting = { ...longer, geometry: path(19_995) }
    expect((await change(last.id, fitting, '"1"', { mapId: 'elm-park' })).statusCode).toBe(200)
  }, 60_000)

  it('cannot be saved on the sample map or an unknown map', async () => {
    const { app, add, change, remove, clear, list, admin } = await start()
    await using _ = app
    const { id, ...fields } = aDrawing()
    for (const [mapId, status] of [
      ['sample', 403],
      ['closed', 404],
      ['nowhere', 404],
    ] as const) {
      const answers = [
        await add([{ id, ...fields }], admin, mapId),
        await change(id, fields, '"1"', { headers: admin, mapId }),
        await remove(id, '"1"', { headers: admin, mapId }),
        await clear(admin, mapId),
      ]
      for (const answer of answers) {
        const { detail } = expectProblem(answer, status)
        if (mapId === 'sample') expect(detail).toMatch(/^The sample map does not save changes/)
      }
    }
    expect(await list(admin, 'sample')).toEqual({ items: [], next: null })
    expectProblem(await app.get('/api/maps/closed/drawings', admin), 404)
  })

  it('are for staff of the map only', async () => {
    const { app, database, add, change, remove, clear } = await start()
    await using _ = app
    const drawing = aDrawing()
    await add([drawing])
    const stranger = await signIn(database, ['manager:elm-park'])
    for (const [headers, status] of [
      [{ 'sec-fetch-site': 'same-origin' }, 401],
      [stranger, 403],
    ] as [Record<string, string>, number][]) {
      expectProblem(await app.get('/api/maps/oak-hills/drawings', headers), status)
      expectProblem(await add([aDrawing()], headers), status)
      expectProblem(await change(drawing.id, drawingFields(drawing), '"1"', { headers }), status)
      expectProblem(await remove(drawing.id, '"1"', { headers }), status)
      expectProblem(await clear(headers), status)
    }
  })
})
