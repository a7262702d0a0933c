import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anCustomField,
  anIncident,
  aParcel,
  squareRing,
  storeClient,
  storeFeatures,
  storeFields,
} from '#test/databases/feature-builders.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { importRealFile, isSlow, realFiles } from '#test/imports/real-file-imports.ts'
import { geometryOfSeed } from '#test/random/arbitrary-changes.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { type SeededRandom, seededRandom } from '#test/random/seeded-random.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import { RefusedError } from '../../domain-error.ts'
import type { Operation } from '../changes/change-context.ts'
import { changeFeatures } from '../changes/change-features.commands.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import { readHistoryOfChange } from './feature-history.queries.ts'
import { restoreVersion, undoChange } from './undo.commands.ts'

// Makes random changes, undoes them in any order, and compares the features to the last digit of their shapes.

const person = { id: 'maya', name: 'Maya', roles: { isAdministrator: true, ofMaps: {} } }

type State = NewFeature | undefined
type Done = { changeId: string; before: Map<string, State>; after: Map<string, State> }

class Records {
  private readonly expected: Map<string, State>
  private readonly removed = new Map<string, State>()
  private readonly changes: Done[] = []
  private readonly database: TestDatabase
  private readonly mapId: string
  private readonly random: SeededRandom
  undone = 0

  private constructor(
    database: TestDatabase,
    mapId: string,
    features: ReadonlyMap<string, State>,
    random: SeededRandom,
  ) {
    this.database = database
    this.mapId = mapId
    this.expected = new Map(features)
    this.random = random
  }

  static async of(database: TestDatabase, mapId: string, random: SeededRandom) {
    return new Records(database, mapId, await readAll(database, mapId), random)
  }

  async step() {
    const { random } = this
    const dice = random.next()
    if (dice < 0.7 || this.changes.length === 0) await this.change()
    else if (dice < 0.9) await this.undo(random.pick(this.changes))
    else await this.restore(random.pick(this.changes))
  }

  async undoAll() {
    for (const done of this.changes.toReversed()) await this.undo(done)
  }

  async isAsExpected() {
    const current = await readAll(this.database, this.mapId)
    expect(current.size).toBe([...this.expected.values()].filter((state) => state).length)
    for (const [id, state] of this.expected) expect(current.get(id), id).toEqual(state)
  }

  private async change() {
    const { random, database, mapId } = this
    const count = random.chance(0.2) ? random.integer(2, 20) : 1
    const ids = [...new Set(Array.from({ length: count }, () => random.pick([...this.expected.keys()])))]
    const operations = ids.map((id) => this.operationOn(id, this.expected.get(id)))
    const changeId = randomUUID()
    try {
      await changeFeatures(database, { mapId, person, changeId }, operations)
    } catch (error) {
      // Randomly moved shapes may cross themselves.
      if (error instanceof RefusedError) return
      throw error
    }
    await this.note(changeId)
  }

  private operationOn(id: string, state: State): Operation {
    const { random, mapId } = this
    if (!state) return { action: 'restore', id }
    const isExpected = () => true
    const dice = random.next()
    if (dice < 0.1) return { action: 'remove', id, isExpected }
    if (dice < 0.15) {
      const geometry = geometryOfSeed(random.integer(0, 100_000))
      return { action: 'add', feature: { kind: 'asset', id: randomUUID(), mapId, name: 'New', geometry } }
    }
    if (dice < 0.6) return { action: 'change', id, isExpected, change: { geometry: this.moved(state) } }
    const words = `${random.integer(0, 1e6)}`
    const name = state.kind === 'incident' ? { title: words } : { name: words }
    const own = {
      parcel: { owner: words },
      asset: {
        status: 'offline',
        own: { note: words, count: random.chance(0.5) ? random.integer(0, 9) : null },
      },
      incident: { resolved: true },
      feature: {},
    }
    return { action: 'change', id, isExpected, change: { ...name, ...own[state.kind], description: words } }
  }

  private moved({ geometry }: NewFeature) {
    const [lng, lat] = [this.random.between(-1, 1) * 1e-4, this.random.between(-1, 1) * 1e-4]
    const move = (part: unknown): unknown =>
      Array.isArray(part) && typeof part[0] === 'number'
        ? [part[0] + lng, part[1] + lat, ...part.slice(2)]
        : (part as unknown[]).map(move)
    return { ...geometry, coordinates: move(geometry.coordinates) }
  }

  private async undo(done: Done) {
    const { changeId: undoes, before, after } = done
    const { database, mapId } = this
    const changeId = randomUUID()
    const possible = [...before].filter(([id]) => this.isAsLeftBy(done, id))
    const isOfBorders =
      before.size > 1 && [...before.keys()].some((id) => isMoved(before.get(id), after.get(id)))
    const due = isOfBorders && possible.length < before.size ? [] : possible
    const { items, kept } = await undoChange(database, { mapId, person, changeId, undoes })
    expect(items.map(({ id }) => id).toSorted()).toEqual(due.map(([id]) => id).toSorted())
    expect(kept).toHaveLength(before.size - possible.length)
    if (items.length === 0) return
    await this.note(changeId)
    for (const [id, state] of due)
      expect(this.expected.get(id), id).toEqual(withChanges(this.expected.get(id), state, after.get(id)))
    this.undone += due.length
  }

  private isAsLeftBy({ before, after }: Done, id: string): boolean {
    const [was, is, current] = [before.get(id), after.get(id), this.expected.get(id)]
    if (!is) return !current && isSame(this.removed.get(id), was)
    if (!current) return false
    if (!was) return isSame(current, is)
    const fields = (state: NewFeature) => state as unknown as Record<string, unknown>
    return Object.keys({ ...was, ...is }).every(
      (key) => isSame(fields(was)[key], fields(is)[key]) || isSame(fields(current)[key], fields(is)[key]),
    )
  }

  private async restore(done: Done) {
    const { database, mapId, random } = this
    const isBefore = random.chance(0.5)
    const id = random.pick([...done.before.keys()])
    const state = (isBefore ? done.before : done.after).get(id)
    if (!state || !this.expected.get(id)) return
    const changeId = randomUUID()
    const point = { changeId: done.changeId, isBefore }
    await restoreVersion(database, { mapId, person, changeId }, { id, isExpected: () => true, point })
    await this.note(changeId)
    expect(this.expected.get(id)).toEqual(state)
    this.undone += 1
  }

  private async note(changeId: string) {
    const { read } = this.database
    const entries = await readHistoryOfChange(read, this.mapId, changeId)
    const ids = entries.map((entry) => entry.feature_id)
    const rows = await readRowsOf(read, this.mapId, ids)
    const before = new Map<string, State>()
    const after = new Map<string, State>()
    for (const id of ids) {
      const row = rows.get(id)
      const state = row && toNewFeature(row)
      const previous = this.expected.get(id)
      if (JSON.stringify(state) === JSON.stringify(previous)) continue
      before.set(id, previous)
      after.set(id, state)
      this.expected.set(id, state)
      if (previous && !state) this.removed.set(id, previous)
    }
    if (before.size > 0) this.changes.push({ changeId, before, after })
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The current state with the fields from before the change. Other fields may have changed since. */
function withChanges(current: State, before: State, after: State): State {
  if (!current || !before || !after) return before
  const values = (state: NewFeature) => state as unknown as Record<string, unknown>
  const changed = Object.keys({ ...before, ...after }).filter(
    (key) => !isSame(values(before)[key], values(after)[key]),
  )
  return { ...current, ...Object.fromEntries(changed.map((key) => [key, values(before)[key]])) } as State
}

const isMoved = (before: State, after: State) =>
  before !== undefined && after !== undefined && !isSame(before.geometry, after.geometry)

const customFields = { asset: [anCustomField('note'), anCustomField('count', { type: 'number' })] }

async function readAll({ read }: TestDatabase, mapId: string): Promise<Map<string, State>> {
  const rows = await read.selectFrom('features').selectAll().where('map_id', '=', mapId).execute()
  return new Map(rows.map((row) => [row.id, toNewFeature(row)]))
}

onEachEngine('undoing', (createDatabase) => {
  it('restores the previous state', { timeout: timeLimit(isSlow) }, async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFields(database, 'oak-hills', customFields)
    const rings = [squareRing(-111.08, 34.02, 0.03), squareRing(-111.07, 34.03, 0.001)]
    await storeFeatures(database, [
      aParcel({ id: 'lot', geometry: { type: 'MultiPolygon', coordinates: [rings] } }),
      ...Array.from({ length: 20 }, (_, index) => {
        const build = [anIncident, anAsset, aParcel][index % 3] ?? anAsset
        return build({ geometry: geometryOfSeed(index * 977) })
      }),
    ])
    const records = await Records.of(database, 'oak-hills', seededRandom('records'))
    for (let count = 0; count < times(60); count++) await records.step()
    await records.isAsExpected()
    await expectExactRanks(database, 'oak-hills')
    await records.undoAll()
    await records.isAsExpected()
    await expectExactRanks(database, 'oak-hills')
    expect(records.undone).toBeGreaterThan(times(12))
  })
})

describeWithRealData('of real parcels', () => {
  onEngine('sqlite', 'undoing', (createDatabase) => {
    it('restores the previous state', { timeout: timeLimit(isSlow) }, async () => {
      const database = await createDatabase()
      const parcels = realFiles.find(({ file }) => file.includes('floodplainparcels'))
      if (!parcels) throw new Error('The parcels are not among the real files.')
      await importRealFile(database, parcels)
      const mapId = 'real'
      await storeFields(database, mapId, customFields)
      const records = await Records.of(database, mapId, seededRandom('parcels'))
      for (let count = 0; count < times(100); count++) await records.step()
      await records.isAsExpected()
      await expectExactRanks(database, mapId)
      expect(records.undone).toBeGreaterThan(times(15))
    })
  })
})

onEngine('sqlite', 'undoing one change after the other', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [aParcel({ id: 'one' }), aParcel({ id: 'other' })])
    const change = async (operations: Operation[]) => {
      const changeId = randomUUID()
      await changeFeatures(database, { mapId: 'oak-hills', person, changeId }, operations)
      return changeId
    }
    const undo = (undoes: string) =>
      undoChange(database, { mapId: 'oak-hills', person, changeId: randomUUID(), undoes })
    const move = (id: string, lng: number): Operation => ({
      action: 'change',
      id,
      isExpected: () => true,
      change: { geometry: { type: 'Polygon', coordinates: [squareRing(lng, 34, 0.01)] } },
    })
    return { database, change, undo, move }
  }

  it('goes on beyond the latest change, although each undo is a change', async () => {
    const { database, change, undo, move } = await start()
    const before = await readAll(database, 'oak-hills')
    const made = []
    for (const lng of [-111.1, -111.2, -111.3])
      made.push(await change([move('one', lng), move('other', lng + 0.01)]))
    for (const changeId of made.toReversed()) expect((await undo(changeId)).kept).toEqual([])
    expect(await readAll(database, 'oak-hills')).toEqual(before)
  })

  it('restores a record that was removed, restored and removed again', async () => {
    const { database, change, undo } = await start()
    const removed = await change([{ action: 'remove', id: 'one', isExpected: () => true }])
    await undo(removed)
    await change([{ action: 'remove', id: 'one', isExpected: () => true }])
    expect((await undo(removed)).items).toHaveLength(1)
    expect((await readAll(database, 'oak-hills')).size).toBe(2)
  })

  it('undoes borders of several records together or not at all', async () => {
    const { database, change, undo, move } = await start()
    const both = await change([move('one', -111.1), move('other', -111.09)])
    await change([move('other', -111.3)])
    const before = await readAll(database, 'oak-hills')
    expect(await undo(both)).toMatchObject({ items: [], kept: ['other'] })
    expect(await readAll(database, 'oak-hills')).toEqual(before)
  })

  it('undoes one field although another has changed', async () => {
    const { database, change, undo } = await start()
    const set = (values: object): Operation => ({
      action: 'change',
      id: 'one',
      isExpected: () => true,
      change: values as never,
    })
    const named = await change([set({ name: 'Renamed' })])
    await change([set({ owner: 'Ann' })])
    expect((await undo(named)).items).toHaveLength(1)
    expect((await readAll(database, 'oak-hills')).get('one')).toMatchObject({ owner: 'Ann' })
  })
})
