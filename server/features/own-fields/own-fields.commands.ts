import { z } from 'zod'
import type { Person } from '#domain/access/session.schema.ts'
import { findsOtherWords, type OwnField, ownFieldTypes } from '#domain/definition/own-field.ts'
import { mapKinds, type OwnFields, openOwnFields } from '#domain/features/own-fields.ts'
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
  noteWordsAfter,
  type OwnFieldsVersion,
  readOwnFields,
  readOwnFieldsVersion,
  readWordsAfter,
  storeOwnFields,
} from './own-fields.queries.ts'

const ownWordsJob = 'own-field-words'

export const ownFieldWordsJob = defineJob({
  name: ownWordsJob,
  payload: z.object({}),
  step: ({ database, mapId }) => updateNextWords(database, mapId),
})

type Request = { mapId: string; person: Person; isExpected: Expectation }

/** From then on the map has these own fields. What is the same already makes no new version. */
export function changeOwnFields(
  database: Database,
  { mapId, person, isExpected }: Request,
  fields: OwnFields,
): Promise<OwnFieldsVersion> {
  return database.write(async (transaction) => {
    // First, as for a change of features: two managers take turns by it, too.
    await lockRanks(transaction, database.engine, mapId)
    await requireOpenMapIn(transaction, mapId)
    const present = await readOwnFieldsVersion(transaction, mapId)
    expectVersion(isExpected, present.version, `The fields of map ${mapId}`)
    const faults = faultsOfTypes(present, fields)
    if (faults.length > 0) throw new RefusedError(faults)
    const changed = changedLabels(present.fields, fields)
    if (changed.length === 0 && isEqual(present.fields, fields)) return present
    const removed = mapKinds(fields, (some, kind) => {
      const keys = new Set(some.map(({ key }) => key))
      return [...present.fields[kind], ...present.removed[kind]].filter(({ key }) => !keys.has(key))
    })
    const version = present.version + 1
    const now = Date.now()
    await storeOwnFields(transaction, {
      map_id: mapId,
      version,
      fields: JSON.stringify(fields),
      removed: JSON.stringify(removed),
      words_after: await readWordsAfter(transaction, mapId),
      changed_at: now,
      changed_by: person.name,
    })
    const isFound = Object.values(
      mapKinds(fields, (some, kind) => findsOtherWords(present.fields[kind], some)),
    )
    if (isFound.includes(true)) await updateSearchWords(database, transaction, mapId)
    const isPublic = JSON.stringify(openOwnFields(present.fields)) !== JSON.stringify(openOwnFields(fields))
    const details = { version, fields: changed, isPublic }
    await recordActivity(transaction, { mapId, actor: person, action: 'fields.changed', details }, now)
    return { version, fields, removed }
  })
}

/** A key keeps its type: features have values under it, also after the field was removed. */
function faultsOfTypes({ fields, removed }: OwnFieldsVersion, wanted: OwnFields): BadField[] {
  const faults = mapKinds(wanted, (some, kind) => {
    const known = new Map([...removed[kind], ...fields[kind]].map(({ key, type }) => [key, type]))
    return some.flatMap(({ key, type }, index) => {
      const before = known.get(key) ?? type
      if (before === type) return []
      const reason = `cannot change: values of ${key} are kept as ${ownFieldTypes[before].toLowerCase()}. Add another field instead`
      return [{ field: `fields.${kind}.${index}.type`, reason }]
    })
  })
  return Object.values(faults).flat()
}

/** What those that came, went or changed are called. */
function changedLabels(before: OwnFields, after: OwnFields): string[] {
  const differing = (some: readonly OwnField[], others: readonly OwnField[]) =>
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

/** So many features get their words in one transaction: others who write wait for no longer than that. */
const rowsPerStep = 500

/** In a transaction that holds the ranks: a search finds what own fields say now. Of many features a job goes on with it. */
export async function updateSearchWords(database: Database, transaction: WriteTransaction, mapId: string) {
  await noteWordsAfter(transaction, mapId, '')
  if ((await updateNext(database, transaction, mapId)) === 'done') return
  const { version } = await readOwnFieldsVersion(transaction, mapId)
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
  // Held before the fields are read: whoever changes one of them at this moment has read the fields of before.
  const rows = await lockFeatures(database, transaction, mapId, ids)
  const ownFields = await readOwnFields(transaction, mapId)
  const updates = [...rows.values()].flatMap((former) => {
    const search_text = searchText(former, ownFields)
    return search_text === former.search_text ? [] : [{ former, change: { search_text } }]
  })
  await updateFeatures(transaction, mapId, updates)
  const last = ids.length === rowsPerStep ? ids.at(-1) : undefined
  await noteWordsAfter(transaction, mapId, last ?? null)
  return last === undefined ? 'done' : 'more'
}
