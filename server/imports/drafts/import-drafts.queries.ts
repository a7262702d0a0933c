import {
  defaultImportSettings,
  type FoundInFiles,
  type ImportDraft,
  type ImportDraftState,
  type ImportDraftSummary,
  type ImportOutcome,
  type ImportSettings,
} from '#domain/imports/import-draft.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { ImportDraftFilesTable, ImportDraftsTable } from '../../database/tables.ts'
import { ConflictError } from '../../domain-error.ts'

export type DraftKey = { mapId: string; id: string }

export function readDraft(
  read: ReadDatabase,
  { mapId, id }: DraftKey,
): Promise<ImportDraftsTable | undefined> {
  return read
    .selectFrom('import_drafts')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, id }))
    .executeTakeFirst()
}

export function readDraftFiles(
  read: ReadDatabase,
  { mapId, id }: DraftKey,
): Promise<ImportDraftFilesTable[]> {
  return read
    .selectFrom('import_draft_files')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, draft_id: id }))
    .orderBy('list_order')
    .execute()
}

export function readDraftsOfMap(read: ReadDatabase, mapId: string): Promise<SummaryRow[]> {
  return read
    .selectFrom('import_drafts')
    .select(['map_id', 'id', 'state', 'attempt', 'progress', 'outcome', 'undone'])
    .select(['problem', 'person_name', 'created_at'])
    .where('map_id', '=', mapId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export function readDraftFilesOfMap(read: ReadDatabase, mapId: string): Promise<ImportDraftFilesTable[]> {
  return read
    .selectFrom('import_draft_files')
    .selectAll()
    .where('map_id', '=', mapId)
    .orderBy('draft_id')
    .orderBy('list_order')
    .execute()
}

export async function countDrafts(read: ReadDatabase, mapId: string): Promise<number> {
  const { count } = await read
    .selectFrom('import_drafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('map_id', '=', mapId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function sumDraftBytes(read: ReadDatabase, mapId: string, exceptWorkOf = ''): Promise<number> {
  const { sent } = await read
    .selectFrom('import_draft_files')
    .select(({ fn }) => fn.sum<number | null>('size').as('sent'))
    .where('map_id', '=', mapId)
    .executeTakeFirstOrThrow()
  const { made } = await read
    .selectFrom('import_drafts')
    .select(({ fn }) => fn.sum<number | null>('work_bytes').as('made'))
    .where('map_id', '=', mapId)
    .where('id', '<>', exceptWorkOf)
    .executeTakeFirstOrThrow()
  return Number(sent ?? 0) + Number(made ?? 0)
}

export async function noteWorkBytes(transaction: WriteTransaction, { mapId, id }: DraftKey, bytes: number) {
  await transaction
    .updateTable('import_drafts')
    .set({ work_bytes: bytes })
    .where(({ and }) => and({ map_id: mapId, id }))
    .execute()
}

export function readDraftsBefore(read: ReadDatabase, changedBefore: number): Promise<ImportDraftsTable[]> {
  return read.selectFrom('import_drafts').selectAll().where('changed_at', '<', changedBefore).execute()
}

export async function insertDraft(
  transaction: WriteTransaction,
  row: ImportDraftsTable,
  files: readonly ImportDraftFilesTable[],
) {
  await transaction.insertInto('import_drafts').values(row).execute()
  await transaction
    .insertInto('import_draft_files')
    .values([...files])
    .execute()
}

/** Throws if the draft was changed after it was read: PostgreSQL has concurrent writers. */
export async function updateDraft(
  transaction: WriteTransaction,
  { map_id, id, state, attempt, settings }: ImportDraftsTable,
  columns: Partial<ImportDraftsTable>,
) {
  if (!(await updateIfEqual(transaction, { map_id, id, state, attempt, settings }, columns)))
    throw new ConflictError('This import has changed. Reload and try again.')
}

type Attempt = Pick<ImportDraftsTable, 'map_id' | 'id' | 'attempt' | 'settings'>

/** Returns false if the draft has another attempt, or its settings changed after it was read. */
export const settleAttempt = (
  transaction: WriteTransaction,
  { map_id, id, attempt, settings }: Attempt,
  columns: Partial<ImportDraftsTable>,
): Promise<boolean> => updateIfEqual(transaction, { map_id, id, attempt, settings }, columns)

async function updateIfEqual(
  transaction: WriteTransaction,
  expected: Attempt & Partial<Pick<ImportDraftsTable, 'state'>>,
  columns: Partial<ImportDraftsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('import_drafts')
    .set({ ...columns, changed_at: Date.now() })
    .where(({ and }) => and(expected))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteDraft(transaction: WriteTransaction, { mapId, id }: DraftKey) {
  await transaction
    .deleteFrom('import_draft_files')
    .where(({ and }) => and({ map_id: mapId, draft_id: id }))
    .execute()
  await transaction.deleteFrom('import_drafts').where('map_id', '=', mapId).where('id', '=', id).execute()
}

export async function updateDraftFile(
  transaction: WriteTransaction,
  { map_id, draft_id, list_order, received }: ImportDraftFilesTable,
  columns: Pick<ImportDraftFilesTable, 'received' | 'pieces'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('import_draft_files')
    .set(columns)
    .where(({ and }) => and({ map_id, draft_id, list_order, received }))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

// These columns were validated when they were written. Older versions saved fewer members.

export const settingsOf = ({ settings }: Pick<ImportDraftsTable, 'settings'>): ImportSettings => ({
  ...defaultImportSettings,
  ...JSON.parse(settings),
})

export const foundOf = ({ found }: Pick<ImportDraftsTable, 'found'>): FoundInFiles | null =>
  found === null
    ? null
    : { layout: null, suggested: [], isSwapSuggested: false, recipe: null, ...JSON.parse(found) }

export const outcomeOf = ({ outcome }: Pick<ImportDraftsTable, 'outcome'>): ImportOutcome | null =>
  parsed(outcome)

export type ShownResults = { sample: number | null; trial: number | null }

export function shownOf({ found, outcome }: Pick<ImportDraftsTable, 'found' | 'outcome'>): ShownResults {
  const attemptOf = (json: string | null): number | null => parsed(json)?.attempt ?? null
  return { sample: attemptOf(found), trial: attemptOf(outcome) }
}

/** Whether a stored piece with this name is still used by a file or a visible result. */
export async function isPieceOfDraft(read: ReadDatabase, mapId: string, name: string): Promise<boolean> {
  const [id = '', result, attempt] = name.split('.')
  const draft = await readDraft(read, { mapId, id })
  if (!draft) return false
  return result !== 'sample' && result !== 'trial' ? true : shownOf(draft)[result] === Number(attempt)
}

const parsed = (json: string | null) => (json === null ? null : JSON.parse(json))

export type SummaryRow = Omit<
  ImportDraftsTable,
  'settings' | 'found' | 'person_id' | 'import_id' | 'changed_at' | 'work_bytes' | 'trial_actor'
>

export function toSummary(
  row: SummaryRow,
  files: readonly ImportDraftFilesTable[],
): Omit<ImportDraftSummary, 'progress'> {
  return {
    id: row.id,
    state: row.state as ImportDraftState,
    files: files.map(({ name, size, received }) => ({ name, size, received })),
    outcome: outcomeOf(row),
    undone: row.undone === null ? null : { newer: [], ...JSON.parse(row.undone) },
    problem: row.problem,
    startedBy: row.person_name,
    startedAt: new Date(row.created_at).toISOString(),
  }
}

export function toDraft(
  row: ImportDraftsTable,
  files: readonly ImportDraftFilesTable[],
): Omit<ImportDraft, 'progress' | 'matches' | 'words' | 'undoFirst'> {
  return { ...toSummary(row, files), settings: settingsOf(row), found: foundOf(row) }
}
