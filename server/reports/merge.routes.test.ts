import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import type { Report, ReportForReporter } from '#domain/reports/report.schema.ts'
import type { IncidentNotes } from '#domain/work/work.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { addPhoto, addReport, byKey, decide, photoTo, place, takeStep } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const mapId = 'oak-hills'
const map = `/api/maps/${mapId}`
const incident = (id: string, values: object = {}) =>
  anIncident({ id, mapId, title: `Title of ${id}`, description: '', ...values })

onEachEngine('merging duplicates', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    await storeClient(database, 'elm-park')
    await storeFeatures(database, [
      incident('main'),
      incident('third', { resolved: true }),
      incident('second', { description: 'Noticed on Monday' }),
    ])
    await storeFeatures(database, [anIncident({ id: 'elsewhere', mapId: 'elm-park' })])
    app = await startTestApp(database, { settings: { REPORTS_PER_HOUR: '20' } })
    rosa = await signIn(database, [`editor:${mapId}`])
    return () => app.close()
  })

  const send = async <Body>(
    method: string,
    url: string,
    payload?: object,
    headers: object = {},
  ): Promise<Body> => {
    const response = await app.send({
      method,
      url,
      headers: { ...rosa, ...headers },
      ...(payload && { payload }),
    })
    expect(response.statusCode, response.body).toBeLessThan(300)
    return response.body === '' ? (undefined as Body) : response.json()
  }
  const report = async (values: object = {}) =>
    (await addReport(app, { description: 'Deep water', ...values })).id
  const own = (id: string): Promise<ReportForReporter> =>
    send('GET', `${map}/reports/${id}/own`, undefined, byKey)
  const comment = (id: string, text: string) =>
    send('POST', `${map}/reports/${id}/own/comments`, { id: randomUUID(), text }, byKey)
  const photosOf = (id: string) => `${map}/reports/${id}/photos`
  const decision = (id: string, payload: object) =>
    app.put(`${map}/reports/${id}/decision`, payload, { ...rosa, 'if-match': '*' })
  const mergeInto = (id: string, duplicateOf: string) =>
    decide(app, rosa, id, { state: 'duplicate', duplicateOf })
  const merging = (id: string, into: string, ifMatch = '*') =>
    app.post(`${map}/incidents/${id}/merge`, { into }, { ...rosa, 'if-match': ifMatch })
  const undo = (id: string) => app.post(`${map}/incidents/${id}/undo-merge`, undefined, rosa)
  const notesOf = (id: string) => send<IncidentNotes>('GET', `${map}/incidents/${id}/notes`)
  const textsOf = async (id: string) => (await notesOf(id)).items.map(({ text }) => text)
  const filesOf = async (id: string) =>
    (await send<{ items: FileOfFeature[] }>('GET', `${map}/features/${id}/files`)).items.map(
      (file) => file.id,
    )
  const publicNumber = async (id: string) =>
    (await app.get(`${map}/incidents/${id}/notes`)).json<IncidentNotes>().reporters

  /** Rows as they are stored, without versions and times of decisions. */
  const rows = (id: string) =>
    Promise.all([
      database.read.selectFrom('files').selectAll().where('feature_id', '=', id).orderBy('id').execute(),
      database.read
        .selectFrom('incident_notes')
        .selectAll()
        .where('incident_id', '=', id)
        .orderBy('id')
        .execute(),
      database.read
        .selectFrom('reports')
        .select(['id', 'state', 'duplicate_of', 'public_note', 'decided_by', 'decided_at', 'email'])
        .orderBy('id')
        .execute(),
    ])

  it('moves photos, notes and the reporter, and undo restores all of them', async () => {
    const id = await report({ email: 'ann@example.org' })
    const photos = [await addPhoto(app, photosOf(id)), await addPhoto(app, photosOf(id))]
    await comment(id, 'It rises')
    const before = await rows(id)
    const merged = await mergeInto(id, 'main')
    expect(merged).toMatchObject({ state: 'duplicate', duplicateTitle: 'Title of main', reporters: 1 })
    expect(merged.comments.map(({ text }) => text)).toEqual(['It rises'])
    expect((await filesOf('main')).toSorted()).toEqual(photos.toSorted())
    expect(await notesOf('main')).toMatchObject({
      items: [
        { text: 'Deep water', source: 'reporter', isPublic: false, isWaiting: true },
        { text: 'It rises', source: 'reporter', isPublic: false, isWaiting: true },
      ],
      merged: [{ id, title: 'Flood', by: 'Maya Ortiz' }],
    })
    expect(await rows(id)).toMatchObject([[], [], [{ id, state: 'duplicate', duplicate_of: 'main' }]])

    await decide(app, rosa, id, { state: 'new' })
    expect(await rows(id)).toEqual(before)
    expect(await filesOf('main')).toEqual([])
    expect(await notesOf('main')).toMatchObject({ items: [], merged: [], reporters: 0 })
  })

  it('shows everyone how many people reported an incident, but not who', async () => {
    const first = await report({ email: 'ann@example.org' })
    await decide(app, rosa, first, { state: 'accepted' })
    expect(await publicNumber(first)).toBe(1)
    for (const email of ['ann@example.org', 'bob@example.org'])
      await mergeInto(await report({ email }), first)
    expect(await publicNumber(first)).toBe(2)
    const response = await app.get(`${map}/incidents/${first}/notes`)
    expect(response.json()).toEqual({ items: [], reporters: 2, merged: [] })
    const { items } = await send<{ items: { id: string; reporters: number }[] }>(
      'GET',
      `${map}/reports/similar?lat=${place.lat}&lng=${place.lng}`,
    )
    expect(items.find((item) => item.id === first)?.reporters).toBe(2)
  })

  it('counts a reporter who recognizes a problem at once, and keeps text and photo for staff', async () => {
    const id = await report({ sameAs: 'main' })
    const photoId = await addPhoto(app, photosOf(id))
    expect(await publicNumber('main')).toBe(1)
    expect(await filesOf('main')).toEqual([])
    expect(await own(id)).toMatchObject({ state: 'new', incident: { id: 'main', reporters: 1 } })
    await decide(app, rosa, id, { state: 'rejected' })
    expect(await publicNumber('main')).toBe(0)
    await decide(app, rosa, id, { state: 'new' })
    expect(await publicNumber('main')).toBe(1)
    await mergeInto(id, 'main')
    expect([await publicNumber('main'), await filesOf('main')]).toEqual([1, [photoId]])
    expectProblem(await app.get(`${map}/files/${photoId}/small`), 404)
  })

  it('keeps the private link, which shows the incident that remains', async () => {
    const id = await report()
    const photoId = await addPhoto(app, photosOf(id))
    await comment(id, 'Before')
    await mergeInto(id, 'main')
    await comment(id, 'After')
    await addPhoto(app, photosOf(id))
    const seen = await own(id)
    expect(seen).toMatchObject({ state: 'duplicate', incident: { id: 'main', title: 'Title of main' } })
    expect(seen.notes.map(({ text }) => text)).toEqual(['Before', 'After'])
    expect(seen.photos).toHaveLength(2)
    expect(await filesOf('main')).toHaveLength(2)
    expect(await textsOf('main')).toEqual(['Deep water', 'Before', 'After'])
    const { items } = await send<{ items: Report[] }>('GET', `${map}/reports?state=duplicate`)
    expect(items[0]?.photos.map((file) => file.id)).toContain(photoId)

    await decide(app, rosa, id, { state: 'accepted' })
    expect(await filesOf(id)).toHaveLength(2)
    expect(await textsOf(id)).toEqual(['Before', 'After'])
    expect(await textsOf('main')).toEqual([])
  })

  it('makes private again what became public on the other incident', async () => {
    const id = await report()
    const photoId = await addPhoto(app, photosOf(id))
    await comment(id, 'Seen')
    await mergeInto(id, 'main')
    await send('PATCH', `${map}/files/${photoId}`, { isPublic: true }, { 'if-match': '*' })
    const note = (await notesOf('main')).items.find(({ text }) => text === 'Seen')
    await send('PATCH', `${map}/incidents/main/notes/${note?.id}`, { isPublic: true })
    expect((await app.get(`${map}/files/${photoId}/small`)).statusCode).toBe(200)
    await decide(app, rosa, id, { state: 'accepted' })
    expectProblem(await app.get(`${map}/files/${photoId}/small`), 404)
    expect((await app.get(`${map}/incidents/${id}/notes`)).json()).toMatchObject({ items: [] })
  })

  it('merges incidents without a report, which can be undone but not restored alone', async () => {
    await takeStep(app, rosa, 'second', { internalNote: 'Call' })
    const before = await rows('second')
    expectProblem(await merging('second', 'main', '"7"'), 412)
    expect((await merging('second', 'main')).statusCode).toBe(200)
    expectProblem(await app.get(`${map}/features/second`), 404)
    expect(await textsOf('main')).toEqual(['Noticed on Monday', 'Call'])
    expect((await app.get(`${map}/incidents/main/notes`)).json()).toMatchObject({ items: [] })
    const restored = await app.post(`${map}/removed-features/second/put-back`, undefined, rosa)
    expect(expectProblem(restored, 409).detail).toContain('Undo the merge')
    expect((await undo('second')).statusCode).toBe(204)
    expect(await rows('second')).toEqual(before)
    expect((await app.get(`${map}/features/second`)).json()).toMatchObject({ title: 'Title of second' })
    expectProblem(await undo('second'), 404)
  })

  it('moves work links, so that contractors continue, and undo moves them back', async () => {
    type Link = { id: string; address: string }
    const links = `${map}/incidents/second/work-links`
    const link = await send<Link>('POST', links, { id: randomUUID(), name: 'Tree crew', email: null })
    const crew = { id: randomUUID(), name: 'Road crew', email: null }
    await send<Link>('POST', `${map}/incidents/third/work-links`, crew)
    const titleOf = async () => {
      const headers = { 'work-key': link.address.split('#')[1] ?? '' }
      const order = await app.get(`${map}/work-links/${link.id}`, headers)
      return order.json<{ incident: { title: string } }>().incident.title
    }
    await merging('second', 'third')
    await merging('third', 'main')
    expect(await titleOf()).toBe('Title of main')
    await undo('second')
    expect(await titleOf()).toBe('Title of second')
    await undo('third')
    expect(await titleOf()).toBe('Title of second')
    expect(await send('GET', links)).toMatchObject({ items: [{ id: link.id }] })
    expect(await send('GET', `${map}/incidents/third/work-links`)).toMatchObject({ items: [{ id: crew.id }] })
  })

  it('merges the incident of a report as triage does, and undo accepts it again', async () => {
    const id = await report()
    await addPhoto(app, photosOf(id))
    await decide(app, rosa, id, { state: 'accepted', publicNote: 'Thanks', publishesPhotos: true })
    const before = await rows(id)
    expect((await merging(id, 'main')).statusCode).toBe(200)
    expect(await own(id)).toMatchObject({ state: 'duplicate', incident: { id: 'main' } })
    expect((await app.get(`${map}/features/main/files`)).json().items).toHaveLength(1)
    expect((await undo(id)).statusCode).toBe(204)
    expect(await rows(id)).toEqual(before)
    expect((await app.get(`${map}/features/${id}`)).statusCode).toBe(200)
  })

  it('follows chains, and undoes them in any order', async () => {
    const [first, second] = [await report(), await report({ sameAs: 'second' })]
    const photoId = await addPhoto(app, photosOf(first))
    const start = [await rows(first), await rows('second'), await rows('main')]
    await mergeInto(first, 'second')
    await merging('second', 'main')
    expect([await publicNumber('main'), await filesOf('main')]).toEqual([2, [photoId]])
    expect((await own(first)).incident?.id).toBe('main')
    expect((await own(second)).incident?.id).toBe('main')
    await comment(first, 'Later')

    await undo('second')
    expect([await publicNumber('second'), await filesOf('second')]).toEqual([2, [photoId]])
    expect(await textsOf('second')).toEqual(['Deep water', 'Later'])
    expect(await rows('main')).toEqual(start[2]?.map((part, index) => (index < 2 ? part : expect.anything())))
    await merging('second', 'main')

    await decide(app, rosa, first, { state: 'new' })
    expect(await filesOf('main')).toEqual([])
    expect(await textsOf('main')).toEqual(['Noticed on Monday'])
    await mergeInto(first, 'main')
    await undo('second')
    expect(await filesOf('main')).toEqual([photoId])
    expect((await own(first)).incident?.id).toBe('main')
    expect((await own(second)).incident?.id).toBe('second')
  })

  it('refuses an incident that is missing, merged, of another association, or the same', async () => {
    const id = await report()
    const detailOf = async (duplicateOf: string) =>
      expectProblem(await decision(id, { state: 'duplicate', duplicateOf }), 400).detail
    for (const other of ['missing', 'elsewhere'])
      expect(await detailOf(other)).toContain('an incident on this map')
    expect(await detailOf(id)).toContain('must be another incident')
    expectProblem(await merging('main', 'main'), 400)
    expectProblem(await merging('missing', 'main'), 404)
    await merging('second', 'third')
    expect(await detailOf('second')).toContain('was merged into incident third')
    await send('DELETE', `${map}/features/main`, undefined, { 'if-match': '*' })
    expect(await detailOf('main')).toContain('an incident on this map')
    // A problem may come back: the reporter learns that it is resolved.
    await mergeInto(id, 'third')
    expect((await own(id)).incident).toMatchObject({ id: 'third', resolved: true })
    await send('DELETE', `${map}/features/third`, undefined, { 'if-match': '*' })
    expect(await own(id)).toMatchObject({ state: 'duplicate', incident: null })
    await decide(app, rosa, id, { state: 'new' })
    expect((await own(id)).incident).toBeNull()
  })

  it('merges two incidents into each other only once', async () => {
    const answers = await Promise.all([merging('main', 'second'), merging('second', 'main')])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
  })

  it('moves a photo that arrives after the merge', async () => {
    const id = await report()
    const photo = await photoTo(app, photosOf(id))
    await photo.announce()
    await mergeInto(id, 'main')
    await photo.send()
    expect(await filesOf('main')).toEqual([photo.id])
    await decide(app, rosa, id, { state: 'accepted' })
    expect(await filesOf(id)).toEqual([photo.id])
  })

  it('keeps what residents wrote for staff when staff edit the text that others see', async () => {
    const id = await report({ description: 'My neighbor Bob did it' })
    await send('PATCH', `${map}/reports/${id}`, { description: 'Deep water' }, { 'if-match': '*' })
    const edited = await decide(app, rosa, id, { state: 'accepted' })
    expect(edited).toMatchObject({ description: 'Deep water', originalDescription: 'My neighbor Bob did it' })
    await comment(id, 'Bob again')
    const [note] = (await notesOf(id)).items
    const url = `${map}/incidents/${id}/notes/${note?.id}`
    for (const text of ['It rises', 'It rises fast']) await send('PATCH', url, { text, isPublic: true })
    expect((await notesOf(id)).items).toMatchObject([{ text: 'It rises fast', originalText: 'Bob again' }])
    expect((await app.get(`${map}/incidents/${id}/notes`)).body).not.toContain('Bob')
    expect((await app.get(`${map}/features/${id}`)).body).not.toContain('Bob')
  })
})
