import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { IncidentNote, WorkItem, WorkLink, WorkOrder } from '#domain/work/work.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addPhoto, photoTo } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { workLinkMailJob } from './work-link-mail-job.ts'
import { eraseContractors, updateWorkLink } from './work-links.queries.ts'

const mapId = 'oak-hills'
const map = `/api/maps/${mapId}`

onEachEngine('work on incidents', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    await storeFeatures(database, [
      anIncident({ id: 'leak', title: 'Leak', severity: 'low', description: 'd'.repeat(300) }),
      anIncident({ id: 'fire', title: 'Fire', severity: 'high' }),
      anIncident({ id: 'done', title: 'Done', resolved: true }),
      anAsset({ id: 'pump', name: 'Pump', maintenancePlan: planSince('2020-01-01') }),
      anAsset({ id: 'new-pump', name: 'New pump', maintenancePlan: planSince('2999-01-01') }),
    ])
    app = await startTestApp(database)
    rosa = await signIn(database, [`editor:${mapId}`], { name: 'Rosa Whitfield' })
    return () => app.close()
  })

  const step = (id: string, values: object, { version = '*', headers = rosa } = {}) =>
    app.post(
      `${map}/incidents/${id}/work`,
      { id: randomUUID(), ...values },
      { ...headers, 'if-match': version },
    )
  const setStatus = (status: string) =>
    app.put(`${map}/features/leak/status`, { status }, { ...rosa, 'if-match': '*' })
  const notes = async (id: string, headers: Record<string, string> = {}): Promise<IncidentNote[]> =>
    (await app.get(`${map}/incidents/${id}/notes`, headers)).json().items
  const work = async (view = 'all'): Promise<{ items: WorkItem[]; total: number }> =>
    (await app.get(`${map}/work?view=${view}`, rosa)).json()
  const ids = async (view?: string) => (await work(view)).items.map(({ id }) => id)

  it('changes the progress with a public and an internal note, and resolves the incident', async () => {
    const taken = await step('leak', {
      state: 'waiting',
      assignee: ' Rosa Whitfield ',
      due: '2026-12-01',
      publicNote: 'Parts are ordered.',
      internalNote: 'Call the plumber',
    })
    expect(taken.statusCode, taken.body).toBe(200)
    expect(taken.json()).toMatchObject({
      ...{ workState: 'waiting', assignee: 'Rosa Whitfield', due: '2026-12-01', resolved: false },
    })
    expect(taken.headers.etag).toBe(`"${taken.json().version}"`)
    expect(await notes('leak')).toEqual([
      expect.objectContaining({ text: 'Parts are ordered.', state: 'waiting', author: null, isPublic: true }),
    ])
    const all = await notes('leak', rosa)
    expect(new Set(all.map(({ text, author, isPublic }) => `${author}: ${text} ${isPublic}`))).toEqual(
      new Set(['Rosa Whitfield: Call the plumber false', 'Rosa Whitfield: Parts are ordered. true']),
    )
    const visitor = (await app.get(`${map}/features/leak`)).json()
    expect(visitor).toMatchObject({ workState: 'waiting' })
    expect(JSON.stringify(visitor)).not.toMatch(/Whitfield|2026-12-01/)

    expect((await step('leak', { state: 'resolved' })).json()).toMatchObject({ resolved: true })
    const reopened = await setStatus('unresolved')
    expect(reopened.json()).toMatchObject({ workState: 'reopened', resolved: false })
  })

  it('rejects steps on an earlier version, by others, without content, and on other features', async () => {
    expectProblem(await step('leak', { state: 'waiting' }, { version: '"7"' }), 412)
    expectProblem(await step('leak', { state: 'waiting' }, { headers: {} }), 401)
    const elsewhere = await signIn(database, ['editor:elsewhere'])
    expectProblem(await step('leak', { state: 'waiting' }, { headers: elsewhere }), 403)
    for (const values of [{}, { publicNote: '  ' }, { state: 'gone' }, { due: '2026-02-30' }])
      expectProblem(await step('leak', values), 400)
    expectProblem(await step('pump', { publicNote: 'Hello' }), 404)
    expectProblem(await step('missing', { publicNote: 'Hello' }), 404)
    expect(await notes('leak', rosa)).toEqual([])
  })

  it('takes a repeated step once', async () => {
    const id = randomUUID()
    const values = { id, state: 'in_progress', publicNote: 'Begun' }
    expect((await step('leak', values)).statusCode).toBe(200)
    expect((await step('leak', values)).statusCode).toBe(200)
    expect(await notes('leak', rosa)).toHaveLength(1)
  })

  it('does not block changes of the status at the same time', async () => {
    const both = ['resolved', 'unresolved'].flatMap((status) => [
      setStatus(status),
      step('leak', { state: status === 'resolved' ? 'in_progress' : 'waiting' }),
    ])
    const codes = (
      await Promise.all([...both, ...both.map(() => step('leak', { publicNote: 'Hello' }))])
    ).map(({ statusCode }) => statusCode)
    expect(new Set(codes)).toEqual(new Set([200]))
  })

  it('hides, corrects and removes a note', async () => {
    await step('leak', { publicNote: 'Wrong' })
    const [note] = await notes('leak', rosa)
    const url = `${map}/incidents/leak/notes/${note?.id}`
    const patch = (payload: object, headers = rosa) => app.patch(url, payload, headers)
    expect((await patch({ text: 'Right' })).json()).toMatchObject({ text: 'Right', isPublic: true })
    expect((await patch({ isPublic: false })).statusCode).toBe(200)
    expect(await notes('leak')).toEqual([])
    expectProblem(await patch({ text: '' }), 400)
    expectProblem(await patch({ text: 'x' }, {}), 401)
    const elsewhere = url.replace('leak', 'fire')
    expectProblem(await app.send({ method: 'DELETE', url: elsewhere, headers: rosa }), 404)
    expect((await app.send({ method: 'DELETE', url, headers: rosa })).statusCode).toBe(204)
    expect(await notes('leak', rosa)).toEqual([])
  })

  it('lists open work by due date, then severity, with due maintenance', async () => {
    expect(await ids()).toEqual(['pump', 'fire', 'leak'])
    await step('leak', { due: '2020-02-01', assignee: 'Rosa Whitfield' })
    expect(await ids()).toEqual(['pump', 'leak', 'fire'])
    expect((await work()).items.map(({ isOverdue }) => isOverdue)).toEqual([true, true, false])
    expect((await work()).items[1]?.description).toBe('d'.repeat(200))
    expect(await ids('mine')).toEqual(['leak'])
    expect(await ids('unassigned')).toEqual(['fire'])
    expect(await ids('overdue')).toEqual(['pump', 'leak'])
    await step('leak', { state: 'resolved' })
    expect(await ids('mine')).toEqual([])
    expectProblem(await app.get(`${map}/work`), 401)
    expectProblem(await app.get(`${map}/work?view=hers`, rosa), 400)
  })

  const links = `${map}/incidents/leak/work-links`
  const addLink = async (values: object = {}): Promise<WorkLink> => {
    const response = await app.post(links, { id: randomUUID(), name: 'Plumbers', ...values }, rosa)
    expect(response.statusCode, response.body).toBe(201)
    return response.json()
  }
  const revoke = ({ id }: WorkLink) => app.post(`${links}/${id}/revoke`, undefined, rosa)
  const urlOf = ({ id }: WorkLink) => `${map}/work-links/${id}`
  const takeStep = (link: WorkLink, values: object) =>
    app.post(`${urlOf(link)}/steps`, { id: randomUUID(), ...values }, keyOf(link))
  const keyOf = ({ address }: WorkLink) => ({ 'work-key': address?.split('#')[1] ?? '' })

  it('lets a contractor write notes, add photos and mark it done by a link, which staff revoke', async () => {
    await step('leak', { internalNote: 'Costs 900', publicNote: 'Tomorrow' })
    const link = await addLink()
    const url = urlOf(link)
    const read = async (): Promise<WorkOrder> => (await app.get(url, keyOf(link))).json()
    expect(await read()).toMatchObject({
      name: 'Plumbers',
      incident: { title: 'Leak', workState: null },
      notes: [{ text: 'Tomorrow' }],
    })
    const photoId = await addPhoto(app, `${url}/photos`, { headers: keyOf(link) })
    expect((await read()).photos).toEqual([{ id: photoId, isOwn: true }])
    expect((await app.get(`${url}/photos/${photoId}/small`, keyOf(link))).statusCode).toBe(200)
    expect((await app.get(`${map}/features/leak/files`)).json().items).toEqual([])

    const done = await takeStep(link, { text: 'Pipe replaced', state: 'resolved' })
    expect(done.json()).toMatchObject({
      incident: { workState: 'resolved' },
      notes: [{ text: 'Tomorrow' }, { text: 'Pipe replaced', isWaiting: true }],
    })
    expect((await app.get(`${map}/features/leak`)).json()).toMatchObject({ resolved: true })
    expect(await notes('leak')).toMatchObject([{ text: 'Tomorrow' }])

    expect((await revoke(link)).json()).toMatchObject({ address: null })
    expectProblem(await app.get(url, keyOf(link)), 404)
    expectProblem(await takeStep(link, { text: 'Pipe replaced', state: 'resolved' }), 404)
  })

  it('opens nothing by a link after its incident left the map', async () => {
    const link = await addLink()
    const url = urlOf(link)
    const headers = keyOf(link)
    const { id, announce, send } = await photoTo(app, `${url}/photos`, { headers })
    const download = () => app.get(`${url}/photos/${id}/small`, headers)
    const write = () => takeStep(link, { id, text: 'Hello' })
    for (const step of [announce, send, download, write]) expect((await step()).statusCode).toBeLessThan(300)
    const remove = { ...rosa, 'if-match': '*' }
    await app.send({ method: 'DELETE', url: `${map}/features/leak`, headers: remove })
    for (const step of [announce, send, download, write, () => app.get(url, headers)])
      expect(expectProblem(await step(), 404).detail).toMatch(/incident of this link is no longer on the map/)
  })

  it('gives one link at a time to a contractor, by name, for an incident', async () => {
    const add = (id: string = randomUUID(), url = links) => app.post(url, { id, name: ' Plumbers ' }, rosa)
    const link = await addLink()
    expect(expectProblem(await add(), 409).detail).toMatch(/‘Plumbers’ has a link to this incident/)
    expect((await add(link.id)).json()).toEqual(link)
    await addLink({ name: 'Painters' })
    expect((await add(randomUUID(), links.replace('leak', 'fire'))).statusCode).toBe(201)

    await revoke(link)
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
    await database.write((transaction) =>
      transaction.updateTable('work_links').set({ expires_at: Date.now() }).execute(),
    )
    await addLink()
  })

  it('shows that a contractor is done until the incident is reopened', async () => {
    const link = await addLink()
    const url = urlOf(link)
    const resolve = () => takeStep(link, { state: 'resolved' })
    const doneAt = async () => {
      const { items } = (await app.get(links, rosa)).json()
      const order: WorkOrder = (await app.get(url, keyOf(link))).json()
      expect(order.doneAt).toBe(items[0].doneAt)
      return order.doneAt
    }
    expect(await doneAt()).toBeNull()
    await resolve()
    await database.write((transaction) => updateWorkLink(transaction, { mapId, id: link.id }, { done_at: 0 }))
    await resolve()
    expect(await doneAt()).toBe(new Date(0).toISOString())
    await step('leak', { state: 'reopened' })
    expect(await doneAt()).toBeNull()
    await resolve()
    expect(Date.parse((await doneAt()) ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('sends a link with instructions, the due date and the place, once, and none of an archived map', async () => {
    await step('leak', { due: '2026-12-24', internalNote: 'Costs 900' })
    const location = { lat: 34.05, lng: -111.09 }
    await app.patch(`${map}/features/leak`, { location }, { ...rosa, 'if-match': '*' })
    const mail = await startMailServer()
    const place = { sender: mail.sender, publicUrl: 'https://land.example' }
    const values = { email: 'plumbers@example.org', instructions: ' Key at the gate.\n' }
    const link = await addLink(values)
    expect(link.instructions).toBe('Key at the gate.')
    const { instructions }: WorkOrder = (await app.get(urlOf(link), keyOf(link))).json()
    expect(instructions).toBe('Key at the gate.')
    await finishJobs(database, [workLinkMailJob(place)])
    await addLink({ ...values, id: link.id })
    await finishJobs(database, [workLinkMailJob(place)])
    await addLink({ ...values, id: randomUUID(), name: 'Roofers', email: 'roofers@example.org' })
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ archived_at: 1 }).execute(),
    )
    await finishJobs(database, [workLinkMailJob(place)])
    await mail.close()
    expect(mail.received.map(({ recipients }) => recipients)).toEqual([['plumbers@example.org']])
    const [{ text = '' } = {}] = mail.received
    for (const words of ['Key at the gate.', 'Due: December 24, 2026', 'Place: 34.05000, -111.09000'])
      expect(text).toContain(words)
    expect(text).toContain(`https://land.example/work/${mapId}/${link.id}#`)
    expect(text).not.toContain('Costs')
  })

  it('erases the address of a contractor a year after the link ended', async () => {
    const { expiresAt } = await addLink({ email: 'plumbers@example.org' })
    const emails = async () => {
      const { items } = (await app.get(links, rosa)).json()
      return items.map(({ email }: WorkLink) => email)
    }
    const eraseAfter = (days: number) =>
      database.write((transaction) =>
        eraseContractors(transaction, Date.parse(expiresAt) + days * 86_400_000),
      )
    await eraseAfter(364)
    expect(await emails()).toEqual(['plumbers@example.org'])
    await eraseAfter(366)
    expect(await emails()).toEqual([null])
  })

  it('opens nothing with another key, of another link, or after 14 days', async () => {
    const [link, other] = [await addLink(), await addLink({ name: 'Painters' })]
    const url = urlOf(link)
    expectProblem(await app.get(url), 400)
    expectProblem(await app.get(url, keyOf(other)), 404)
    expectProblem(await app.get(url, { 'work-key': '0'.repeat(32) }), 404)
    const expired = Date.now() - 1
    await database.write((transaction) =>
      transaction.updateTable('work_links').set({ expires_at: expired }).where('id', '=', link.id).execute(),
    )
    expectProblem(await app.get(url, keyOf(link)), 404)
    expect((await app.get(urlOf(other), keyOf(other))).statusCode).toBe(200)
    expectProblem(await app.get(links), 401)
  })
})

const planSince = (firstDue: string) => ({ task: 'Check', everyMonths: 12, month: null, firstDue })
