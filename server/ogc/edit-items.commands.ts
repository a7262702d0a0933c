import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { readOwnFields } from '../features/own-fields/own-fields.queries.ts'
import { lockFeatures, readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { examineShapes } from '../geometry/examine-shapes.ts'
import { lockRanks } from '../thinning/write-features.queries.ts'
import { type Collection, isIn } from './collections.ts'
import { propertiesOf } from './properties.ts'
import { geometryIn, readNewItem, readPatch, readReplacement } from './read-edit.ts'
import type { ReferenceSystem } from './reference-systems.ts'
import { toItem } from './write-item.ts'

// Items are added, changed and removed as the page does it: with the same checks, history, activity and live updates.

/** What is asked for, by whom. `system` is that of the coordinates that are sent. */
export type Edit = { mapId: string; person: Person; collection: Collection; system: ReferenceSystem }

/** Who may change features sees all of them. */
const sight = { seesPersonalData: true, isStaff: true }

/** Sent twice with the same id it is there once. */
export async function addItem(database: Database, edit: Edit, body: unknown): Promise<FeatureColumns> {
  const { mapId, person, collection, system } = edit
  const ownFields = await readOwnFields(database.read, mapId)
  const properties = propertiesOf(collection.kind, ownFields, sight)
  const { id = randomUUID(), said } = readNewItem(body, { collection, properties, system })
  const feature = { ...said, kind: collection.kind, id, mapId }
  const examine = await examineShapes(mapId, [geometryIn(body, edit)])
  return database.write(async (transaction) => {
    const known = (await readRowsOf(transaction, mapId, [id])).get(id)
    if (known) {
      const isIt = isIn(collection, known)
      const told = isIt ? toItem(known, { properties, ownFields, sight, system }) : undefined
      const isRepetition =
        told && Object.keys(readPatch(body, { collection, properties, system }, told)).length === 0
      if (isRepetition) return known
      throw new ConflictError(`The map has another feature ${id} already.`)
    }
    const change = { mapId, person, changeId: randomUUID(), examine }
    const [added] = await changeFeaturesIn(database, transaction, change, [{ action: 'add', feature }])
    return added?.row as FeatureColumns
  })
}

type Named = { id: string; isExpected: Expectation }

/** A merge patch changes what it names, a replacement everything. */
export async function changeItem(
  database: Database,
  edit: Edit,
  { id, isExpected }: Named,
  { how, body }: { how: 'patch' | 'replace'; body: unknown },
): Promise<FeatureColumns> {
  const { mapId, person, collection, system } = edit
  const examine = await examineShapes(mapId, [geometryIn(body, edit)])
  return database.write(async (transaction) => {
    const present = await holdItem(database, transaction, edit, id)
    const ownFields = await readOwnFields(transaction, mapId)
    const properties = propertiesOf(collection.kind, ownFields, sight)
    const told = toItem(present, { properties, ownFields, sight, system })
    const read = how === 'patch' ? readPatch : readReplacement
    const change = read(body, { collection, properties, system }, told)
    const named = { mapId, person, changeId: randomUUID(), examine }
    const operation = { action: 'change', id, isExpected, change } as const
    const [changed] = await changeFeaturesIn(database, transaction, named, [operation])
    return changed?.row as FeatureColumns
  })
}

export function removeItem(database: Database, edit: Edit, { id, isExpected }: Named): Promise<void> {
  const { mapId, person } = edit
  return database.write(async (transaction) => {
    await holdItem(database, transaction, edit, id)
    const named = { mapId, person, changeId: randomUUID() }
    await changeFeaturesIn(database, transaction, named, [{ action: 'remove', id, isExpected }])
  })
}

/** Nobody else changes it meanwhile: what it says decides what a replacement of it changes. */
async function holdItem(
  database: Database,
  transaction: WriteTransaction,
  { mapId, collection }: Edit,
  id: string,
) {
  // Before the feature is held, as every change has it.
  await lockRanks(transaction, database.engine, mapId)
  const row = featureId.safeParse(id).success
    ? (await lockFeatures(database, transaction, mapId, [id])).get(id)
    : undefined
  if (row && isIn(collection, row)) return row
  throw new NotFoundError(`The collection ${collection.id} of map ${mapId} has no feature ${id}.`)
}
