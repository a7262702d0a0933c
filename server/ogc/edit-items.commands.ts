import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { readCustomFields } from '../features/custom-fields/custom-fields.queries.ts'
import { lockFeatures, readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { examineShapes } from '../geometry/examine-shapes.ts'
import { lockRanks } from '../thinning/write-features.queries.ts'
import { type Collection, isIn } from './collections.ts'
import { propertiesOf, toItem } from './properties.ts'
import { geometryIn, readNewItem, readPatch, readReplacement } from './read-edit.ts'
import type { ReferenceSystem } from './reference-systems.ts'

// Edits use the same commands as the page: with the same checks, history, activity and live updates.

export type Edit = { mapId: string; person: Person; collection: Collection; system: ReferenceSystem }

/** Editors see everything. */
const sight = { seesPersonalData: true, isStaff: true }

export async function addItem(database: Database, edit: Edit, body: unknown): Promise<FeatureColumns> {
  const { mapId, person, collection, system } = edit
  const customFields = await readCustomFields(database.read, mapId)
  const properties = propertiesOf(collection.kind, customFields, sight)
  const { id = randomUUID(), values } = readNewItem(body, { collection, properties, system })
  const feature = { ...values, kind: collection.kind, id, mapId }
  const examine = await examineShapes(mapId, [geometryIn(body, edit)])
  return database.write(async (transaction) => {
    const existing = (await readRowsOf(transaction, mapId, [id])).get(id)
    if (existing) {
      if (isIn(collection, existing)) {
        const item = toItem(existing, { properties, customFields, sight, system })
        const change = readPatch(body, { collection, properties, system }, item)
        if (Object.keys(change).length === 0) return existing
      }
      throw new ConflictError(`The map already has another feature ${id}.`)
    }
    const change = { mapId, person, changeId: randomUUID(), examine }
    const [added] = await changeFeaturesIn(database, transaction, change, [{ action: 'add', feature }])
    return added?.row as FeatureColumns
  })
}

type Target = { id: string; isExpected: Expectation }

export async function changeItem(
  database: Database,
  edit: Edit,
  { id, isExpected }: Target,
  { mode, body }: { mode: 'patch' | 'replace'; body: unknown },
): Promise<FeatureColumns> {
  const { mapId, person, collection, system } = edit
  const examine = await examineShapes(mapId, [geometryIn(body, edit)])
  return database.write(async (transaction) => {
    const current = await lockItem(database, transaction, edit, id)
    const customFields = await readCustomFields(transaction, mapId)
    const properties = propertiesOf(collection.kind, customFields, sight)
    const item = toItem(current, { properties, customFields, sight, system })
    const read = mode === 'patch' ? readPatch : readReplacement
    const change = read(body, { collection, properties, system }, item)
    const context = { mapId, person, changeId: randomUUID(), examine }
    const operation = { action: 'change', id, isExpected, change } as const
    const [changed] = await changeFeaturesIn(database, transaction, context, [operation])
    return changed?.row as FeatureColumns
  })
}

export function removeItem(database: Database, edit: Edit, { id, isExpected }: Target): Promise<void> {
  const { mapId, person } = edit
  return database.write(async (transaction) => {
    await lockItem(database, transaction, edit, id)
    const context = { mapId, person, changeId: randomUUID() }
    await changeFeaturesIn(database, transaction, context, [{ action: 'remove', id, isExpected }])
  })
}

async function lockItem(
  database: Database,
  transaction: WriteTransaction,
  { mapId, collection }: Edit,
  id: string,
) {
  // Before the feature, in the order that every change uses.
  await lockRanks(transaction, database.engine, mapId)
  const row = featureId.safeParse(id).success
    ? (await lockFeatures(database, transaction, mapId, [id])).get(id)
    : undefined
  if (row && isIn(collection, row)) return row
  throw new NotFoundError(`The collection ${collection.id} of map ${mapId} has no feature ${id}.`)
}
