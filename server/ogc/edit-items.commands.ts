import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../domain-error.ts'
import { changeFeatures, changeFeaturesIn } from '../features/change-features.commands.ts'
import { readRowsOf } from '../features/features.queries.ts'
import { readOwnFields } from '../features/own-fields.queries.ts'
import { type Collection, isIn } from './collections.ts'
import { propertiesOf } from './properties.ts'
import { readNewItem, readPatch, readReplacement } from './read-edit.ts'
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
  const change = { mapId, person, changeId: randomUUID() }
  const [added] = await changeFeatures(database, change, [{ action: 'add', feature }])
  const row = added?.row
  if (!row || !isIn(collection, row)) throw new ConflictError(`The map has a feature ${id} already.`)
  return row
}

type Named = { id: string; isExpected: Expectation }

/** A merge patch changes what it names, a replacement everything. */
export function changeItem(
  database: Database,
  edit: Edit,
  { id, isExpected }: Named,
  { how, body }: { how: 'patch' | 'replace'; body: unknown },
): Promise<FeatureColumns> {
  const { mapId, person, collection, system } = edit
  return database.write(async (transaction) => {
    const present = await requireItem(transaction, edit, id)
    const ownFields = await readOwnFields(transaction, mapId)
    const properties = propertiesOf(collection.kind, ownFields, sight)
    const told = toItem(present, { properties, ownFields, sight, system })
    const read = how === 'patch' ? readPatch : readReplacement
    const change = read(body, { collection, properties, system }, told)
    const named = { mapId, person, changeId: randomUUID() }
    const operation = { action: 'change', id, isExpected, change } as const
    const [changed] = await changeFeaturesIn(database, transaction, named, [operation])
    return changed?.row as FeatureColumns
  })
}

export function removeItem(database: Database, edit: Edit, { id, isExpected }: Named): Promise<void> {
  const { mapId, person } = edit
  return database.write(async (transaction) => {
    await requireItem(transaction, edit, id)
    const named = { mapId, person, changeId: randomUUID() }
    await changeFeaturesIn(database, transaction, named, [{ action: 'remove', id, isExpected }])
  })
}

async function requireItem(transaction: WriteTransaction, { mapId, collection }: Edit, id: string) {
  const ids = featureId.safeParse(id).success ? [id] : []
  const row = (await readRowsOf(transaction, mapId, ids)).get(id)
  if (row && isIn(collection, row)) return row
  throw new NotFoundError(`The collection ${collection.id} of map ${mapId} has no feature ${id}.`)
}
