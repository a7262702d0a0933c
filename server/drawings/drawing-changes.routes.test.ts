import { expect, it } from 'vitest'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { aDrawing, drawingFields, startDrawings } from '#test/server/drawings.ts'
import { expectProblem } from '#test/server/test-app.ts'

const elsewhere = { type: 'Point', coordinates: [-110.5, 34.5] } as const
const marker = { kind: 'marker', geometry: { type: 'Point', coordinates: [-111, 34] } } as const

onEachEngine('a drawing', (createDatabase) => {
  const start = async () => {
    const on = await startDrawings(await createDatabase())
    const drawing = aDrawing({ ...marker, geometry: { ...marker.geometry, coordinates: [-111, 34] } })
    await on.add([drawing])
    const moved = { ...drawingFields(drawing), geometry: { ...elsewhere, coordinates: [-110.5, 34.5] } }
    return { ...on, drawing, moved: moved as ReturnType<typeof drawingFields> }
  }

  it('is changed by any editor, and names its last editor', async () => {
    const { app, change, list, rosa, grace, drawing, moved, activities } = await start()
    await using _ = app
    const changed = await change(drawing.id, { ...moved, name: 'Well', note: 'dry' }, '"1"', {
      headers: grace,
    })
    expect(changed.headers.etag).toBe('"2"')
    expect(changed.json()).toMatchObject({
      geometry: elsewhere,
      name: 'Well',
      note: 'dry',
      author: 'Rosa Delgado',
      isOwn: false,
      updatedBy: 'Grace Whitfield',
      version: 2,
    })
    expect((await list(rosa)).items).toEqual([{ ...changed.json(), isOwn: true }])
    const [, activity] = await activities()
    expect(activity).toMatchObject({
      map_id: 'oak-hills',
      action: 'drawing.changed',
      subject: drawing.id,
      actor: 'Grace Whitfield',
      actor_id: 'grace',
      details: { name: 'Well', kind: 'marker' },
    })
  })

  it('keeps its version if a change has no effect', async () => {
    const { app, change, drawing, activities } = await start()
    await using _ = app
    expect((await change(drawing.id, drawingFields(drawing), '"1"')).json()).toMatchObject({ version: 1 })
    expect(await activities()).toHaveLength(1)
  })

  it('requires the version that was seen; a stale one is answered with the current drawing', async () => {
    const { app, change, remove, list, rosa, grace, drawing, moved } = await start()
    await using _ = app
    expectProblem(await change(drawing.id, moved, undefined), 428)
    expectProblem(await change(drawing.id, moved, 'x'), 400)
    expectProblem(await remove(drawing.id, undefined), 428)
    await change(drawing.id, { ...moved, name: 'Grace’s' }, '"1"', { headers: grace })
    const late = expectProblem(await change(drawing.id, { ...moved, name: 'Rosa’s' }, '"1"'), 412)
    const [now] = (await list(rosa)).items
    expect(now).toMatchObject({ name: 'Grace’s', updatedBy: 'Grace Whitfield', version: 2 })
    expect(late.current).toEqual(now)
    expect(expectProblem(await remove(drawing.id, '"1"'), 412).current).toEqual(now)
    expect((await list(rosa)).items).toEqual([now])
  })

  it('is changed once by 20 requests at once from the same version', async () => {
    const { app, change, drawing, moved, activities } = await start()
    await using _ = app
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        change(drawing.id, { ...moved, name: `Number ${index}` }, '"1"'),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(19).fill(412)])
    expect((await activities()).map(({ action }) => action)).toEqual(['drawing.added', 'drawing.changed'])
  })

  it('is deleted by any editor', async () => {
    const { app, change, remove, list, rosa, grace, drawing, moved, activities } = await start()
    await using _ = app
    const deleted = await remove(drawing.id, '"1"', { headers: grace })
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    expect((await list(rosa)).items).toEqual([])
    expectProblem(await remove(drawing.id, '"1"'), 404)
    expectProblem(await change(drawing.id, moved, '"1"'), 404)
    expect((await activities()).at(-1)).toMatchObject({ action: 'drawing.deleted', subject: drawing.id })
  })

  it('is not found on another map', async () => {
    const { app, change, remove, drawing, moved } = await start()
    await using _ = app
    expectProblem(await change(drawing.id, moved, '*', { mapId: 'elm-park' }), 404)
    expectProblem(await remove(drawing.id, '*', { mapId: 'elm-park' }), 404)
  })

  it('is deleted with all other drawings of its author', async () => {
    const { app, add, clear, list, rosa, grace, admin, drawing, activities } = await start()
    await using _ = app
    const graceDrawing = aDrawing({ name: 'Grace’s' })
    await add([graceDrawing], grace)
    await add([aDrawing(), aDrawing()])
    await add([aDrawing({ name: 'On another map' })], rosa, 'elm-park')
    expect((await clear(admin)).json()).toEqual({ deleted: 0 })
    expect((await list(rosa)).items).toHaveLength(4)
    expect((await clear()).json()).toEqual({ deleted: 3 })
    expect((await list(rosa)).items.map(({ name }) => name)).toEqual(['Grace’s'])
    expect((await list(rosa, 'elm-park')).items).toHaveLength(1)
    const cleared = (await activities()).filter(({ action }) => action === 'drawing.cleared')
    expect(cleared).toEqual([
      expect.objectContaining({ actor_id: 'rosa', subject: null, details: { count: 3 } }),
    ])
    const [again] = (await add([drawing])).json().items as Drawing[]
    expect(again).toMatchObject({ id: drawing.id, version: 1 })
  })

  it('does not change the public map', async () => {
    const { app, database, change, drawing, moved } = await start()
    await using _ = app
    const maps = () => database.read.selectFrom('maps').selectAll().orderBy('map_id').execute()
    const before = await maps()
    expect((await change(drawing.id, moved, '"1"')).statusCode).toBe(200)
    expect(await maps()).toEqual(before)
  })
})
