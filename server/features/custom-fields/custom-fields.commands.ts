import { z } from 'zod'
import type { Person } from '#domain/access/session.schema.ts'
import { type CustomField, customFieldTypes, findsOtherWords } from '#domain/definition/custom-field.ts'
import { type CustomFields, mapKinds, openCustomFields } from '#domain/features/custom-fields.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { recordActivity } from '../../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import { type BadField, type Expectation, expectVersion, RefusedError } from '../../domain-error.ts'
import { defineJob } from '../../jobs/job-kind.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { requireOpenMapIn } from '../../maps/maps.queries.ts'
import { lockRanks, updateFeatures } from '../../thinning/write-features.queries.ts'
import { searchText } from '../rows/derive-columns.ts'
import { lockFeatures, readRowsAfter } from '../rows/feature-rows.queries.ts'
import {
  type CustomFieldsVersion,
  noteWordsAfter,
  readCustomFields,
  readCustomFieldsVersion,
  readWordsAfter,
  storeCustomFields,
} from './custom-fields.queries.ts'

const ownWordsJob = 'own-field-words'

export const customFieldWordsJob = defineJob({
  name: ownWordsJob,
  payload: z.object({}),
  step: ({ database, mapId }) => updateNextWords(database, mapId),
})

type Request = { mapId: string; person: Person; isExpected: Expectation }

export function changeCustomFields(
  database: Database,
  { mapId, person, isExpected }: Request,
  fields: CustomFields,
): Promise<CustomFieldsVersion> {
  return database.write(async (transaction) => {
    // Before anything else, as in a change of features: serializes changes by two managers.
    await lockRanks(transaction, database.engine, mapId)
    await requireOpenMapIn(transaction, mapId)
    const current = await readCustomFieldsVersion(transaction, mapId)
    expectVersion(isExpected, current.version, `The fields of map ${mapId}`)
    const faults = faultsOfTypes(current, fields)
    if (faults.length > 0) throw new RefusedError(faults)
    const changed = changedLabels(current.fields, fields)
    if (changed.length === 0 && isEqual(current.fields, fields)) return current
    const removed = mapKinds(fields, (some, kind) => {
      const keys = new Set(some.map(({ key }) => key))
      return [...current.fields[kind], ...current.removed[kind]].filter(({ key }) => !keys.has(key))
    })
    const version = current.version + 1
    const now = Date.now()
    await storeCustomFields(transaction, {
      map_id: mapId,
      version,
      fields: JSON.stringify(fields),
      removed: JSON.stringify(removed),
      words_after: await readWordsAfter(transaction, mapId),
      changed_at: now,
      changed_by: person.name,
    })
    const isFound = Object.values(
      mapKinds(fields, (some, kind) => findsOtherWords(current.fields[kind], some)),
    )
    if (isFound.includes(true)) await updateSearchWords(database, transaction, mapId)
    const isPublic =
      JSON.stringify(openCustomFields(current.fields)) !== JSON.stringify(openCustomFields(fields))
    const details = { version, fields: changed, isPublic }
    await recordActivity(transaction, { mapId, actor: person, action: 'fields.changed', details }, now)
    return { version, fields, removed }
  })
}

/** A key keeps its type: features have values under it, also after the field was removed. */
function faultsOfTypes({ fields, removed }: CustomFieldsVersion, newFields: CustomFields): BadField[] {
  const faults = mapKinds(newFields, (some, kind) => {
    const types = new Map([...removed[kind], ...fields[kind]].map(({ key, type }) => [key, type]))
    return some.flatMap(({ key, type }, index) => {
      const before = types.get(key) ?? type
      if (before === type) return []
      const reason = `cannot be changed: ${key} has the type ${customFieldTypes[before].toLowerCase()}. Add another field instead`
      return [{ field: `fields.${kind}.${index}.type`, reason }]
    })
  })
  return Object.values(faults).flat()
}

function changedLabels(before: CustomFields, after: CustomFields): string[] {
  const differing = (some: readonly CustomField[], others: readonly CustomField[]) =>
    some.filter((own) => !others.some((other) => isEqual(other, own)))
  const labels = mapKinds(after, (some, kind) => [
    ...differing(some, before[kind]),
    ...differing(before[kind], some),
  ])
  return [
    ...new Set(
      Object.values(labels)
        .flat()
        .map(({ label }) => label),
    ),
  ]
}

const rowsPerStep = 500

/**
 * Updates the words that searches find. Call it in a transaction that locked the ranks. If there are many features, a
 * job continues.
 */
export async function updateSearchWords(database: Database, transaction: WriteTransaction, mapId: string) {
  await noteWordsAfter(transaction, mapId, '')
  if ((await updateNext(database, transaction, mapId)) === 'done') return
  const { version } = await readCustomFieldsVersion(transaction, mapId)
  const job = { mapId, kind: ownWordsJob, key: String(version), payload: {} }
  await insertJob(transaction, job, Date.now())
}

export function updateNextWords(database: Database, mapId: string): Promise<'more' | 'done'> {
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    return updateNext(database, transaction, mapId)
  })
}

async function updateNext(
  database: Database,
  transaction: WriteTransaction,
  mapId: string,
): Promise<'more' | 'done'> {
  const after = await readWordsAfter(transaction, mapId)
  if (after === null) return 'done'
  const ids = (await readRowsAfter(transaction, mapId, after, rowsPerStep)).map(({ id }) => id)
  // Locked before the fields are read: concurrent changes have read the previous fields.
  const rows = await lockFeatures(database, transaction, mapId, ids)
  const customFields = await readCustomFields(transaction, mapId)
  const updates = [...rows.values()].flatMap((row) => {
    const search_text = searchText(row, customFields)
    return search_text === row.search_text ? [] : [{ previous: row, change: { search_text } }]
  })
  await updateFeatures(transaction, database.engine, mapId, updates)
  const last = ids.length === rowsPerStep ? ids.at(-1) : undefined
  await noteWordsAfter(transaction, mapId, last ?? null)
  return last === undefined ? 'done' : 'more'
}
