import { expect, it } from 'vitest'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { times } from '#test/random/how-much.ts'
import { type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { signIn } from '#test/server/signed-in.ts'

const rounds = times(4)

const addedAtOnce = 10

const acknowledgedBeforeKill = 18

const assets = ['asset-0', 'asset-1', 'asset-2', 'asset-3']

onEachEngine('a server that is killed during changes', (createDatabase) => {
  it(
    `loses and duplicates nothing, ${rounds} times`,
    async () => {
      const database = await createDatabase()
      await storeClient(database, 'oak-hills')
      await storeFeatures(
        database,
        assets.map((id) => anAsset({ id })),
      )
      const settings = { PUBLIC_URL: 'http://localhost:3000' }
      const headers = await signIn(database, 'administrator', { settings })
      const acknowledged = emptyTally()
      for (let round = 0; round < rounds; round++) {
        await using server = await startServer({ ...settingsOf(database.location), ...settings })
        await writeUntilKilled(server, headers, acknowledged, round)
        expectNothingLost(await readState(database), acknowledged)
      }
      expect(acknowledged.configurations.size).toBeGreaterThanOrEqual(rounds)
      expect(acknowledged.clients.size).toBeGreaterThanOrEqual(rounds)
      expect(acknowledged.statuses.size).toBeGreaterThanOrEqual(rounds)
      expect(acknowledged.changes.size).toBeGreaterThanOrEqual(rounds / 2)
    },
    45_000 * rounds,
  )
})

/** Acknowledged changes: versions of features, or clients by their key. */
type Tally = {
  configurations: Set<string>
  statuses: Set<string>
  clients: Map<string, string>
  /** Keys of requested clients without an answer: they are requested again. */
  unanswered: Set<string>
  changes: Set<string>
  unansweredChanges: Set<string>
}
const emptyTally = (): Tally => ({
  configurations: new Set(),
  statuses: new Set(),
  clients: new Map(),
  unanswered: new Set(),
  changes: new Set(),
  unansweredChanges: new Set(),
})

async function writeUntilKilled(
  server: ServerProcess,
  headers: Record<string, string>,
  acknowledged: Tally,
  round: number,
) {
  let count = 0
  let isKilled = false
  const manyBefore = acknowledged.changes.size
  const note = () => {
    count++
    // Every other server must make a change of several features, which takes longer.
    const isDue = round % 2 === 0 || acknowledged.changes.size > manyBefore
    if (count < acknowledgedBeforeKill || isKilled || !isDue) return
    isKilled = true
    server.kill('SIGKILL')
  }
  const send = async (method: string, path: string, body: unknown, more: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { version: number; id: string }
  }
  const etagOf = async (path: string) => {
    const answer = await fetch(`${server.url}/api${path}`)
    await answer.arrayBuffer()
    return { 'if-match': answer.headers.get('etag') ?? '' }
  }

  const configure = async (step: number) => {
    const path = '/maps/oak-hills/configuration'
    const configuration = { ...defaultMapConfiguration, startZoom: 1 + ((round * 100 + step) % 1_700) / 100 }
    const { version } = await send('PUT', path, configuration, await etagOf(path))
    acknowledged.configurations.add(`${version}`)
  }
  const setStatusOf = (id: string) => async (step: number) => {
    const path = `/maps/oak-hills/features/${id}`
    const status = ['offline', 'maintenance', 'operational'][(step + round) % 3]
    const seen = await etagOf(path)
    const { version } = await send('PUT', `${path}/status`, { status }, seen)
    if (`"${version}"` !== seen['if-match']) acknowledged.statuses.add(`${id} ${version}`)
  }
  const addMany = async (step: number) => {
    const [lost] = acknowledged.unansweredChanges
    const id = lost ?? `many-${round}-${step}`
    acknowledged.unansweredChanges.add(id)
    const items = Array.from({ length: addedAtOnce }, (_, index) => {
      const geometry = { type: 'Point', coordinates: [-111 + index / 1_000, 34] }
      return { action: 'add', feature: { kind: 'asset', id: `${id}-${index}`, name: id, geometry } }
    })
    await send('POST', '/maps/oak-hills/features/changes', { id, items })
    acknowledged.changes.add(id)
    acknowledged.unansweredChanges.delete(id)
  }
  const addClient = async (step: number) => {
    const [lost] = acknowledged.unanswered
    const key = lost ?? `round-${round}-step-${step}`
    acknowledged.unanswered.add(key)
    const fields = { name: key, location: '' }
    const { id } = await send('POST', '/clients', fields, { 'idempotency-key': key })
    acknowledged.clients.set(key, id)
    acknowledged.unanswered.delete(key)
  }
  await Promise.all(
    [configure, addClient, addMany, ...assets.map(setStatusOf)].map(async (change) => {
      for (let step = 0; !isKilled; step++) {
        try {
          await change(step)
          note()
        } catch (error) {
          if (!isKilled) throw error
        }
      }
    }),
  )
  await server.exited
}

/** PostgreSQL may still be finishing changes: read one consistent snapshot. */
function readState({ engine, read }: TestDatabase) {
  if (engine === 'sqlite') return readTables(read)
  return read.transaction().setIsolationLevel('repeatable read').execute(readTables)
}

async function readTables(read: TestDatabase['read']) {
  return {
    configurations: await read
      .selectFrom('map_configurations')
      .select('version')
      .orderBy('version')
      .execute(),
    features: await read.selectFrom('features').select(['id', 'version']).execute(),
    clients: await read.selectFrom('clients').select('map_id').where('map_id', '!=', 'oak-hills').execute(),
    history: await read
      .selectFrom('feature_history')
      .select(['change_id', 'feature_id', 'version'])
      .execute(),
    keys: await read.selectFrom('idempotency_keys').select(['idempotency_key', 'answer']).execute(),
    activity: await read.selectFrom('activity').select(['map_id', 'action', 'subject', 'details']).execute(),
  }
}

function expectNothingLost(state: Awaited<ReturnType<typeof readState>>, acknowledged: Tally) {
  const { configurations, features, clients, keys, activity, history } = state
  const recorded = (action: string) => activity.filter((row) => row.action === action)
  const versions = configurations.map(({ version }) => version)
  expect(versions).toEqual(versions.map((_version, index) => index + 1))
  for (const version of acknowledged.configurations) expect(versions).toContain(Number(version))
  const recordedVersions = recorded('configuration.applied').map(({ details }) => JSON.parse(details).version)
  expect(recordedVersions.toSorted((a, b) => a - b)).toEqual(versions)

  for (const { id, version } of features) {
    if (!assets.includes(id)) continue
    const changes = recorded('asset.status-changed').filter(({ subject }) => subject === id)
    expect(changes, id).toHaveLength(version - 1)
    const newest = [...acknowledged.statuses].filter((status) => status.startsWith(`${id} `))
    for (const status of newest) expect(Number(status.split(' ')[1])).toBeLessThanOrEqual(version)
  }

  const many = Map.groupBy(
    history.filter(({ change_id }) => change_id.startsWith('many-')),
    ({ change_id }) => change_id,
  )
  const current = new Set(features.map(({ id }) => id))
  for (const [id, entries] of many) {
    expect(entries, id).toHaveLength(addedAtOnce)
    for (const { feature_id } of entries) expect(current).toContain(feature_id)
  }
  expect(current.size).toBe(assets.length + many.size * addedAtOnce)
  expect(
    recorded('features.changed')
      .map(({ details }) => JSON.parse(details).changeId)
      .toSorted(),
  ).toEqual([...many.keys()].toSorted())
  for (const id of acknowledged.changes) expect([...many.keys()]).toContain(id)
  for (const { id, version } of features) {
    const versions = history.flatMap((entry) => (entry.feature_id === id ? [entry.version] : []))
    const expected = Array.from({ length: version - 1 }, (_, index) => index + 2)
    expect(new Set(versions), id).toEqual(new Set(assets.includes(id) ? expected : [version]))
    expect(versions, id).toHaveLength(new Set(versions).size)
  }

  const ids = clients.map(({ map_id }) => map_id).toSorted()
  expect(
    recorded('client.added')
      .map((row) => row.map_id)
      .toSorted(),
  ).toEqual(ids)
  expect(keys.map(({ answer }) => JSON.parse(answer).id).toSorted()).toEqual(ids)
  for (const [key, id] of acknowledged.clients) {
    expect(ids).toContain(id)
    expect(keys.filter(({ idempotency_key }) => idempotency_key === key)).toHaveLength(1)
  }
}
