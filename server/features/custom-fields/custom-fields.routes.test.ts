import { expect, it } from 'vitest'
import type { CustomField } from '#domain/definition/custom-field.ts'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import { proposedConfiguration } from '#domain/map-configuration/proposed-configuration.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anCustomField,
  aParcel,
  point,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp } from '#test/server/test-app.ts'
import { updateNextWords } from './custom-fields.commands.ts'

const color = anCustomField('color', {
  label: 'Color',
  type: 'choice',
  choices: [
    { key: 'red', label: 'Red' },
    { key: 'safetyYellow', label: 'Safety yellow' },
  ],
})
const gateCode = anCustomField('gateCode', { label: 'Gate code', visibleTo: 'staff' as const })
const ofAssets = (...asset: CustomField[]): CustomFields => ({ ...noCustomFields, asset })

const base = '/api/maps/oak-hills'

onEachEngine('custom fields', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      anAsset({ id: 'hydrant', name: 'Hydrant', geometry: point(-111.1, 34.04) }),
      anAsset({ id: 'tank', name: 'Tank', geometry: point(-111.2, 34.04) }),
      aParcel({ id: 'lot', name: 'Lot 7' }),
    ])
    const app = await startTestApp(database)
    const manager = await signIn(database, ['manager:oak-hills'])
    const send = (
      method: 'GET' | 'PUT' | 'PATCH' | 'POST',
      url: string,
      { as, version, body }: Options = {},
    ) =>
      app.send({
        method,
        url: base + url,
        headers: {
          ...(as === null ? {} : (as ?? manager)),
          ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        },
        ...(body === undefined ? {} : { payload: body as object }),
      })
    const put = (fields: unknown, version: number) => send('PUT', '/fields', { version, body: { fields } })
    const patch = (id: string, version: number, own: unknown) =>
      send('PATCH', `/features/${id}`, { version, body: { own } })
    const ownOf = async (id: string, as?: null) => (await send('GET', `/features/${id}`, { as })).json().own
    const found = async (text: string, as?: null): Promise<string[]> =>
      (await send('GET', `/features?text=${text}`, { as })).json().items.map(({ id }: { id: string }) => id)
    return { database, app, manager, send, put, patch, ownOf, found }
  }
  type Options = { as?: { cookie: string } | null | undefined; version?: number; body?: unknown }

  it('are defined by managers, version by version', async () => {
    const { database, send, put } = await start()
    const empty = await send('GET', '/fields', { as: null })
    expect(empty.json()).toEqual({
      mapId: 'oak-hills',
      version: 0,
      fields: noCustomFields,
      removed: noCustomFields,
    })
    expect(empty.headers.etag).toBe('"0"')

    const first = await put(ofAssets(color, gateCode), 0)
    expect(first.statusCode).toBe(200)
    expect(first.json()).toMatchObject({ version: 1, fields: ofAssets(color, gateCode) })
    expect((await put(ofAssets(color, gateCode), 1)).json().version).toBe(1)
    expect((await put(ofAssets(gateCode), 1)).json()).toMatchObject({
      version: 2,
      fields: ofAssets(gateCode),
      removed: ofAssets(color),
    })
    expectProblem(await put(ofAssets(color), 1), 412)
    expectProblem(await send('PUT', '/fields', { body: { fields: noCustomFields } }), 428)
    const recorded = await database.read.selectFrom('activity').select(['action', 'details']).execute()
    expect(recorded.map(({ action, details }) => [action, JSON.parse(details).fields])).toEqual([
      ['fields.changed', ['Color', 'Gate code']],
      ['fields.changed', ['Color']],
    ])
  })

  it('are recorded by label when removed, however many there were', async () => {
    const { send, put } = await start()
    for (let version = 0; version < 4; version++) {
      const some = Array.from({ length: 40 }, (_, index) =>
        anCustomField(`key${version}${'x'.repeat(index)}`),
      )
      const called = some.map((one, index) => ({ ...one, label: `Field ${index}` }))
      expect((await put(ofAssets(...called), version)).statusCode).toBe(200)
    }
    const recorded = await send('GET', '/fields')
    expect(recorded.statusCode).toBe(200)
    expect(recorded.json().removed.asset).toHaveLength(120)
  })

  it('are changed by managers, and visible to everyone unless personal', async () => {
    const { database, app, send, put } = await start()
    await put(ofAssets(color, gateCode), 0)
    const editor = await signIn(database, ['editor:oak-hills'], { id: 'rosa' })
    const body = { fields: noCustomFields }
    expectProblem(await send('PUT', '/fields', { as: null, version: 1, body }), 401)
    expectProblem(await send('PUT', '/fields', { as: editor, version: 1, body }), 403)
    expect((await send('GET', '/fields', { as: editor })).json().fields).toEqual(ofAssets(color, gateCode))
    expect((await send('GET', '/fields', { as: null })).json().fields).toEqual(ofAssets(color))
    await put(ofAssets(color), 1)
    expect((await send('GET', '/fields', { as: null })).json().removed).toEqual(noCustomFields)
    expectProblem(await app.send({ method: 'GET', url: '/api/maps/nowhere/fields' }), 404)
  })

  it('can be columns of the table for users who may see them', async () => {
    const { put, patch, send } = await start()
    await put(ofAssets(color, gateCode), 0)
    await patch('tank', 1, { color: 'red', gateCode: '4711' })
    const listWithCustomFields = (as?: null) =>
      send('GET', '/features?kind=asset,parcel&fields=own.color,own.gateCode&sort=name', { as })
    expect(
      (await listWithCustomFields()).json().items.map(({ values }: { values: unknown }) => values),
    ).toEqual([
      { 'own.color': null, 'own.gateCode': null },
      {},
      { 'own.color': 'red', 'own.gateCode': '4711' },
    ])
    // Visitors cannot distinguish hidden fields from missing ones.
    expect(expectProblem(await listWithCustomFields(null), 401).detail).toContain('‘own.gateCode’')
    expectProblem(await send('GET', '/features?fields=own.nothing', { as: null }), 401)
    const [refusal] = expectProblem(await send('GET', '/features?fields=own.nothing'), 400).errors ?? []
    expect(refusal?.message).toMatch(/unknown field: ‘own.nothing’/)
    const open = await send('GET', '/features?fields=own.color&kind=asset&sort=-name', { as: null })
    expect(open.json().items[0].values).toEqual({ 'own.color': 'red' })
  })

  it('are refused by name if invalid', async () => {
    const { put } = await start()
    const fieldsOf = async (fields: unknown, version = 0) =>
      (await put(fields, version))
        .json()
        .errors.map(({ name, message }: { name: string; message: string }) => [name, message])
    expect(await fieldsOf(ofAssets(anCustomField('constructor')))).toEqual([
      ['fields.asset.0.key', 'is a reserved word'],
    ])
    expect(await fieldsOf(ofAssets(anCustomField('a', { label: 'INSTALLED' })))).toEqual([
      ['fields.asset.0.label', 'is a built-in field of assets: INSTALLED'],
    ])
    expect(await fieldsOf(ofAssets(anCustomField('a'), anCustomField('a', { label: 'A' })))).toEqual([
      ['fields.asset.1.key', 'is already in use: a'],
      ['fields.asset.1.label', 'is already in use: A'],
    ])
    expect(await fieldsOf(ofAssets({ ...color, choices: [] }))).toEqual([
      ['fields.asset.0.choices', 'must have at least one choice'],
    ])
    // Values may be stored under the key of a removed field.
    await put(ofAssets(color), 0)
    const asText = ofAssets(anCustomField('color', { label: 'Color' }))
    const refusal = 'cannot be changed: color has the type choice. Add another field instead'
    expect(await fieldsOf(asText, 1)).toEqual([['fields.asset.0.type', refusal]])
    await put(ofAssets(), 1)
    expect(await fieldsOf(asText, 2)).toEqual([['fields.asset.0.type', refusal]])
  })

  it('are filled like any field, checked by their type, and in the history', async () => {
    const { put, patch, send, ownOf } = await start()
    const fields = ofAssets(
      color,
      gateCode,
      anCustomField('flow', { type: 'number' }),
      anCustomField('tested', { type: 'day' }),
      anCustomField('isLocked', { type: 'flag' }),
      anCustomField('manual', { type: 'link' }),
    )
    await put(fields, 0)
    const own = {
      color: 'safetyYellow',
      gateCode: '4711',
      flow: 12.5,
      tested: '2026-02-28',
      isLocked: false,
      manual: 'https://example.com/a',
    }
    expect((await patch('hydrant', 1, own)).json().own).toEqual(own)
    expect((await patch('hydrant', 2, { flow: null })).json().own).toEqual({ ...own, flow: null })
    const history = (await send('GET', '/features/hydrant/history')).json().items
    expect(history[0].changes).toEqual([
      {
        field: 'own',
        before: own,
        after: Object.fromEntries(Object.entries(own).filter(([key]) => key !== 'flow')),
      },
    ])
    const wrong = {
      color: 'blue',
      gateCode: 4711,
      flow: '12',
      tested: '2026-02-30',
      isLocked: 'yes',
      manual: 'javascript:alert(1)',
      other: 1,
    }
    for (const [key, value] of Object.entries(wrong)) {
      const refused = await patch('hydrant', 3, { [key]: value })
      expectProblem(refused, 400)
      expect(refused.json().errors[0].name, key).toBe(`own.${key}`)
    }
    expectProblem(await patch('lot', 1, { color: 'red' }), 400)
    expect(await ownOf('lot')).toBe(null)
    expect(await ownOf('hydrant', null)).toEqual({
      color: 'safetyYellow',
      flow: null,
      tested: '2026-02-28',
      isLocked: false,
      manual: 'https://example.com/a',
    })
  })

  it('can be required in new features; existing features stay unchanged', async () => {
    const { put, patch, send } = await start()
    await put(ofAssets(color), 0)
    await patch('tank', 1, { color: 'red' })
    await put(ofAssets({ ...color, isRequired: true }, gateCode), 1)
    const asset = { kind: 'asset', id: 'new', name: 'New', geometry: point(-111.1, 34) }
    const refused = await send('POST', '/features', { body: asset })
    expectProblem(refused, 400)
    expect(refused.json().errors).toMatchObject([{ name: 'own.color', message: 'must not be empty' }])
    const added = await send('POST', '/features', { body: { ...asset, own: { color: 'red' } } })
    expect(added.statusCode).toBe(201)
    expect((await patch('hydrant', 1, { gateCode: '12' })).statusCode).toBe(200)
    const emptied = await patch('tank', 2, { color: null })
    expectProblem(emptied, 400)
    expect(emptied.json().errors).toMatchObject([{ name: 'own.color', message: 'must not be empty' }])
    expectProblem(await send('PATCH', '/features/tank', { version: 2, body: { own: null } }), 400)
  })

  it('keep their values when they, or a choice, are removed', async () => {
    const { put, patch, ownOf, send } = await start()
    await put(ofAssets(color, gateCode), 0)
    await patch('hydrant', 1, { color: 'red', gateCode: '4711' })
    await put(ofAssets(color), 1)
    expect(await ownOf('hydrant')).toEqual({ color: 'red' })
    await send('PATCH', '/features/hydrant', { version: 2, body: { description: 'By the gate' } })
    await patch('hydrant', 3, { color: null })
    await put(ofAssets(gateCode, { ...color, choices: [{ key: 'blue', label: 'Blue' }] }), 2)
    expect(await ownOf('hydrant')).toEqual({ gateCode: '4711', color: null })
    await patch('tank', 1, { color: 'blue' })
    await put(ofAssets(gateCode, color), 3)
    expect(await ownOf('tank')).toEqual({ gateCode: null, color: 'blue' })
    expect((await patch('tank', 2, { gateCode: '1' })).statusCode).toBe(200)
  })

  it('are found by their words, those for staff by staff only', async () => {
    const { database, put, patch, found } = await start()
    await put(ofAssets(color, gateCode), 0)
    await patch('hydrant', 1, { color: 'safetyYellow', gateCode: 'Zebra' })
    expect(await found('yellow', null)).toEqual(['hydrant'])
    expect(await found('zebra')).toEqual(['hydrant'])
    expect(await found('zebra', null)).toEqual([])
    await put(
      ofAssets({ ...color, visibleTo: 'staff' as const }, { ...gateCode, visibleTo: 'everyone' as const }),
      1,
    )
    expect(await found('zebra', null)).toEqual(['hydrant'])
    expect(await found('yellow', null)).toEqual([])
    await put(ofAssets(), 2)
    expect([await found('zebra'), await found('yellow')]).toEqual([[], []])
    await put(ofAssets(gateCode), 3)
    expect([await found('zebra'), await found('zebra', null)]).toEqual([['hydrant'], []])
    await storeConfiguration(database, 'oak-hills', 1, {
      ...proposedConfiguration(null),
      showPersonalData: true,
    })
    expect(await found('zebra', null)).toEqual([])
  })

  it('are found in very many features after a while', async () => {
    const { database, put, patch, found } = await start()
    await storeFeatures(
      database,
      Array.from({ length: 1_200 }, (_, index) => anAsset({ id: `a-${index}`, geometry: point(-111, 34) })),
    )
    await put(ofAssets(gateCode), 0)
    await finishJobs(database)
    await patch('tank', 1, { gateCode: 'Zebra' })
    await put(ofAssets({ ...gateCode, visibleTo: 'everyone' as const }), 1)
    // A server killed after a step has not recorded it: the next one continues.
    expect(await updateNextWords(database, 'oak-hills')).toBe('more')
    await finishJobs(database)
    expect(await found('zebra', null)).toEqual(['tank'])
    const remaining = await database.read.selectFrom('jobs').select('id').execute()
    expect(remaining).toEqual([])
  })

  it('are changed in bulk', async () => {
    const { put, patch, send, ownOf } = await start()
    await put(ofAssets(color, gateCode), 0)
    await patch('tank', 1, { gateCode: '4711' })
    const operation = { kind: 'change', patch: { own: { color: 'red' } }, ids: ['hydrant', 'tank'] }
    const preview = (await send('POST', '/bulk-changes/preview', { body: operation })).json()
    expect(preview).toMatchObject({
      total: 2,
      changing: 2,
      left: 0,
      fields: { 'own.color': { different: 1, value: null }, 'own.gateCode': { different: 2, value: null } },
    })
    const id = '6b1d0000-0000-4000-8000-000000000003'
    expect((await send('POST', '/bulk-changes', { body: { id, ...operation } })).statusCode).toBeLessThan(300)
    expect(await ownOf('hydrant')).toEqual({ color: 'red', gateCode: null })
    expect(await ownOf('tank')).toEqual({ color: 'red', gateCode: '4711' })
  })
})
