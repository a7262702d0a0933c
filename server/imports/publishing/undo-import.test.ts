import { expect, it } from 'vitest'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { NotAnsweredError } from '../../domain-error.ts'
import { changeFeatures } from '../../features/changes/change-features.commands.ts'
import { importFeatures } from '../import-features.ts'
import { featureColumns } from './feature-columns.ts'
import { readNewerImports } from './imports.queries.ts'
import { undoImport } from './undo-import.ts'

const options = {
  mapId: 'oak-hill',
  kind: 'parcel',
  source: 'lots',
  client: { name: 'Oak Hill', location: '' },
} as const

function collection(lots: Record<string, { name: string; corner: number }>) {
  const features = Object.entries(lots).map(([id, { name, corner }]) => {
    const [west, south] = [corner / 3, corner / 7]
    const ring = [
      [west, south],
      [west + 0.1, south],
      [west + 0.1, south + 0.1],
      [west, south],
    ]
    return {
      type: 'Feature',
      id,
      properties: { name, owner: 'Ann "Ö" \\ O\u2028Neil', zip: null },
      geometry: { type: 'Polygon', coordinates: [ring] },
    }
  })
  return inputOf(JSON.stringify({ type: 'FeatureCollection', features }))
}

const featuresOf = (database: TestDatabase) =>
  database.read.selectFrom('features').select(featureColumns).orderBy('id').execute()

type Row = Awaited<ReturnType<typeof featuresOf>>[number]
const withoutVersion = ({ version, ...row }: Row) => row
const versionsOf = (rows: Row[]) => rows.map(({ name, version }) => `${name} v${version}`).sort()

const first = { a: { name: 'A', corner: 1 }, b: { name: 'B', corner: 2 } }
const second = { a: { name: 'A', corner: 1 }, b: { name: 'B', corner: 5 }, c: { name: 'C', corner: 4 } }

async function importBoth(database: TestDatabase) {
  const { importId: firstId } = await importFeatures(database, collection(first), options)
  const before = await featuresOf(database)
  const { importId: secondId } = await importFeatures(database, collection(second), options)
  return { firstId: firstId ?? '', secondId: secondId ?? '', before }
}

const idOf = async (database: TestDatabase, wanted: string) =>
  (await featuresOf(database)).find(({ name }) => name === wanted)?.id ?? ''

const changeByHand = (database: TestDatabase, id: string, change: FeatureChange) => {
  const person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }
  const operation = { action: 'change', id, isExpected: () => true, change } as const
  return changeFeatures(database, { mapId: 'oak-hill', person, changeId: 'by-ann' }, [operation])
}

onEachEngine('undoing an import', (createDatabase) => {
  it('restores replaced features exactly, with a newer version, once, and is recorded', async () => {
    const database = await createDatabase()
    const { firstId, secondId, before } = await importBoth(database)
    const imported = await featuresOf(database)
    for (const [request, reason] of [
      [{ importId: 'none' }, 'There is no finished import none.'],
      [{ importId: secondId, mapId: 'other' }, 'into map "other"'],
      [
        { importId: firstId },
        /^Newer imports changed the same features.* \(lots, .* UTC\)\. Undo those imports first\./,
      ],
    ] as const)
      await expect(undoImport(database, request)).rejects.toThrow(reason)
    expect(await featuresOf(database)).toEqual(imported)

    const request = { importId: secondId, actor: { id: null, name: 'ann' } }
    expect(await undoImport(database, request)).toEqual({
      mapId: 'oak-hill',
      removed: 1,
      restored: 1,
      kept: [],
      newer: [],
    })
    const after = await featuresOf(database)
    expect(after.map(withoutVersion)).toEqual(before.map(withoutVersion))
    expect([before, after].map(versionsOf)).toEqual([
      ['A v1', 'B v1'],
      ['A v1', 'B v3'],
    ])
    const activity = await database.read.selectFrom('activity').selectAll().orderBy('at').execute()
    expect(activity.at(-1)).toMatchObject({
      action: 'features.import-undone',
      actor: 'ann',
      subject: secondId,
      west: 2 / 3,
      south: 2 / 7,
      east: 5 / 3 + 0.1,
      north: 5 / 7 + 0.1,
    })
    await expect(undoImport(database, request)).rejects.toThrow(`Import ${secondId} is already undone.`)
    expect(await featuresOf(database)).toEqual(after)

    const again = await importFeatures(database, collection(second), options)
    expect(again).toMatchObject({ created: 1, updated: 1, unchanged: 1 })
    const withoutTimes = (rows: Row[]) =>
      rows.map(({ import_id, version, created_at, updated_at, ...row }) => row)
    expect(withoutTimes(await featuresOf(database))).toEqual(withoutTimes(imported))
    await undoImport(database, { importId: again.importId ?? '' })
    const undone = await undoImport(database, { importId: firstId, mapId: 'oak-hill' })
    expect(undone).toMatchObject({ removed: 2, restored: 0, kept: [] })
    expect(await featuresOf(database)).toEqual([])
  })

  it('skips features that people changed or removed later', async () => {
    const database = await createDatabase()
    const { secondId } = await importBoth(database)
    const ids = [await idOf(database, 'B'), await idOf(database, 'C')] as const
    await changeByHand(database, ids[0], { description: 'Bounded anew' })
    await database.write((transaction) =>
      transaction.deleteFrom('features').where('id', '=', ids[1]).execute(),
    )
    const before = await featuresOf(database)
    const undone = await undoImport(database, { importId: secondId })
    expect(undone).toMatchObject({ removed: 0, restored: 0 })
    expect(undone.kept.sort()).toEqual(ids.toSorted())
    expect(await featuresOf(database)).toEqual(before)
  })

  it('restores more features than one batch', async () => {
    const database = await createDatabase()
    const lots = (shift: number) =>
      Object.fromEntries(
        Array.from({ length: 1_234 }, (_, index) => [
          `lot ${index}`,
          { name: `Lot ${index}`, corner: (index % 400) + 1 + shift },
        ]),
      )
    await importFeatures(database, collection(lots(0)), options)
    const before = await featuresOf(database)
    const { importId } = await importFeatures(database, collection(lots(1)), options)
    expect(await undoImport(database, { importId: importId ?? '' })).toMatchObject({
      restored: 1_234,
      removed: 0,
    })
    expect((await featuresOf(database)).map(withoutVersion)).toEqual(before.map(withoutVersion))
  })
})

onEngine('sqlite', 'undoing an import', (createDatabase) => {
  it('skips features that people removed and added again', async () => {
    const database = await createDatabase()
    const { secondId } = await importBoth(database)
    await database.write((transaction) =>
      transaction.updateTable('features').set({ import_id: null }).where('name', '=', 'C').execute(),
    )
    const undone = await undoImport(database, { importId: secondId })
    expect(undone).toMatchObject({ removed: 0, restored: 1 })
    expect(undone.kept).toHaveLength(1)
  })

  it('skips features of a later import after a confirmation', async () => {
    const database = await createDatabase()
    const { firstId, secondId } = await importBoth(database)
    const undone = await undoImport(database, { importId: firstId, confirm: async () => true })
    expect(undone).toMatchObject({ removed: 1, restored: 0, newer: [{ id: secondId, features: 1 }] })
    expect(undone.kept).toHaveLength(1)
    expect(versionsOf(await featuresOf(database))).toEqual(['B v2', 'C v1'])
  })

  it('needs no confirmation if the newer imports changed other features only', async () => {
    const database = await createDatabase()
    const { importId } = await importFeatures(database, collection(first), options)
    const { a, b } = first
    const more = { a, b, c: { name: 'C', corner: 4 } }
    await importFeatures(database, collection(more), options)
    await importFeatures(database, collection({ ...more, c: { name: 'C', corner: 5 } }), options)
    const undone = await undoImport(database, { importId: importId ?? '' })
    expect(undone).toMatchObject({ removed: 2, kept: [], newer: [] })
  })

  it('needs no confirmation if people changed the same features after the newer import', async () => {
    const database = await createDatabase()
    const { firstId, secondId } = await importBoth(database)
    const id = await idOf(database, 'B')
    await changeByHand(database, id, { name: 'Edited' })
    const undone = await undoImport(database, { importId: firstId })
    expect(undone).toMatchObject({ removed: 1, kept: [id], newer: [] })
    expect(await undoImport(database, { importId: secondId })).toMatchObject({ kept: [id] })
  })

  it('needs a confirmation if a newer import removed the same features', async () => {
    const database = await createDatabase()
    const { importId } = await importFeatures(database, collection(first), options)
    const { b } = first
    const without = await importFeatures(database, collection({ b }), { ...options, missing: 'remove' })
    const newer: unknown[] = []
    const undone = await undoImport(database, {
      importId: importId ?? '',
      confirm: async (found) => newer.push(...found) > 0,
    })
    expect(newer).toMatchObject([{ id: without.importId, features: 1 }])
    expect(undone).toMatchObject({ removed: 1, newer })
    expect(undone.kept).toHaveLength(1)
  })

  it('names all newer imports of one that is too large to compare', async () => {
    const database = await createDatabase()
    const { firstId, secondId } = await importBoth(database)
    const { importId } = await importFeatures(database, collection(second), { ...options, mapId: 'elm-hill' })
    const readInWorker = () => Promise.reject(new NotAnsweredError('too long'))
    const caller = { mapId: 'oak-hill', signal: AbortSignal.any([]) }
    const read = (id: string) => readNewerImports({ ...database, readInWorker }, caller, id)
    expect(await read(firstId)).toMatchObject([{ id: secondId, source: 'lots', files: [] }])
    expect(await read(secondId)).toEqual([])
    expect(await read(importId ?? '')).toEqual([])
  })
})
