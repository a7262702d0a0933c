import { randomBytes } from 'node:crypto'
import { isAllowed } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import {
  type ImportDraftState,
  type ImportOutcome,
  type ImportSettings,
  type ImportStep,
  isImportStep,
  type NewImportDraft,
} from '#domain/imports/import-draft.schema.ts'
import type { ImportLayout } from '#domain/imports/import-layout.schema.ts'
import { maxPublicMetadata } from '#domain/map-configuration/map-configuration.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import type { ImportDraftFilesTable, ImportDraftsTable } from '../../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../../domain-error.ts'
import { readCustomFields } from '../../features/custom-fields/custom-fields.queries.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { readNewestConfiguration } from '../../map-configuration/map-configuration.queries.ts'
import { lockOpenMap } from '../../maps/maps.queries.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { findBadSettings, firstSettings } from '../import-settings.ts'
import { columnsFor } from '../mapping/map-columns.ts'
import { sourceOfLayer } from '../mapping/source-identity.ts'
import { findImports, readNewerImports } from '../publishing/imports.queries.ts'
import { undoFirst } from '../publishing/undo-import.ts'
import {
  countDrafts,
  type DraftKey,
  deleteDraft,
  foundOf,
  insertDraft,
  outcomeOf,
  readDraft,
  readDraftFiles,
  settingsOf,
  sumDraftBytes,
  updateDraft,
} from './import-drafts.queries.ts'

export const importDraftJobName = 'import-draft'

const maxDraftsOfMap = 50

type Sender = { mapId: string; person: Person } & Pick<ImportLimits, 'maxBytes' | 'quotaBytes'>

export async function startDraft(
  database: Database,
  { mapId, person, maxBytes, quotaBytes }: Sender,
  { id, files }: NewImportDraft,
): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > maxBytes)
    throw new RefusedError('files', `can have at most ${maxBytes / 1024 / 1024} MB in total`)
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const key = { mapId, id }
    const existing = await readDraft(transaction, key)
    if (existing) {
      const before = (await readDraftFiles(transaction, key)).map(({ name, size }) => ({ name, size }))
      if (existing.person_id === person.id && JSON.stringify(before) === JSON.stringify(files)) return
      throw new ConflictError('This id belongs to another import.')
    }
    if ((await countDrafts(transaction, mapId)) >= maxDraftsOfMap)
      throw new ConflictError(
        `This map has ${maxDraftsOfMap} imports, which is the limit. Discard some of them first.`,
      )
    await requireImportQuota(transaction, { mapId, quotaBytes }, bytes)
    const now = Date.now()
    const row: ImportDraftsTable = {
      map_id: mapId,
      id,
      person_id: person.id,
      person_name: person.name,
      state: 'receiving',
      attempt: 0,
      settings: JSON.stringify(firstSettings(files[0]?.name ?? '')),
      found: null,
      progress: null,
      outcome: null,
      undone: null,
      problem: null,
      import_id: randomBytes(5).toString('hex'),
      work_bytes: 0,
      trial_actor: null,
      created_at: now,
      changed_at: now,
    }
    const fileRows = files.map(
      ({ name, size }, list_order): ImportDraftFilesTable => ({
        map_id: mapId,
        draft_id: id,
        list_order,
        name,
        size,
        received: 0,
        pieces: '[]',
      }),
    )
    await insertDraft(transaction, row, fileRows)
  })
}

/** A file needs its size twice: in the file store and in the working folder. */
async function requireImportQuota(
  transaction: WriteTransaction,
  { mapId, quotaBytes }: { mapId: string; quotaBytes: number },
  sentBytes: number,
) {
  const used = await sumDraftBytes(transaction, mapId)
  if (used + 2 * sentBytes <= quotaBytes) return
  const megabytes = (bytes: number) => `${formatNumber(Math.ceil(bytes / 1024 ** 2))} MB`
  throw new RefusedError(
    'files',
    `need ${megabytes(2 * sentBytes)}, but imports of this map already use ${megabytes(used)} of ${megabytes(quotaBytes)} (IMPORT_QUOTA_MB). Discard old imports`,
  )
}

const maxSettingsCharacters = 2 ** 20

const placeFields = ['latitude', 'longitude', 'wkt']

const recordParts = ['headerRow', 'geometryColumn', 'decimalMark'] as const satisfies (keyof ImportLayout)[]

/** Settings about the rows of a preview, which stays in view until there is a new one. */
const rowSettings = [
  'keepsEdits',
  'bringsBack',
  'missing',
  'leftOut',
  'mended',
] as const satisfies (keyof ImportSettings)[]

/** Drops the outcome of an earlier preview. Returns whether the files are examined again. */
export function changeSettings(
  database: Database,
  { key, person }: { key: DraftKey; person: Person },
  settings: Partial<ImportSettings>,
): Promise<boolean> {
  return database.write(async (transaction) => {
    const draft = await requireDraft(transaction, key, ['examining', 'examined', 'tried'])
    const before = settingsOf(draft)
    const { layer = before.layer } = settings
    const isOtherLayer = layer !== before.layer
    // Settings of another layer or of a refused recipe do not apply.
    const startsOver =
      (isOtherLayer && before.layer !== null) || (settings.takesRecipe === false && before.takesRecipe)
    const first = startsOver ? await firstSettingsOfLayer(transaction, draft, layer) : before
    const changed = { ...first, ...settings }
    const isExaminedAgain =
      startsOver ||
      isOtherLayer ||
      changed.projection !== before.projection ||
      changed.areCoordinatesSwapped !== before.areCoordinatesSwapped ||
      placeFields.some((field) => changed.columns[field] !== before.columns[field]) ||
      recordParts.some((part) => changed.layout[part] !== before.layout[part])
    if (isOtherLayer && !startsOver) {
      const own = await firstSettingsOfLayer(transaction, draft, layer)
      // Two layers of one file are two sources, unless the source was named.
      const unnamed = await firstSettingsOfLayer(transaction, draft, null)
      if (changed.source === unnamed.source) changed.source = own.source
    }
    if (changed.kind !== before.kind && settings.onlyFields === undefined) changed.onlyFields = null
    const json = JSON.stringify(changed)
    if (json === JSON.stringify(before)) return false
    if (json.length > maxSettingsCharacters)
      throw new RefusedError('settings', 'have too many fixed rows. Fix them in the file')
    const shownBefore = columnsFor('everybody', before.keptFor)
    const shown = columnsFor('everybody', changed.keptFor)
    const added = shown.filter((column) => !shownBefore.includes(column))
    await refusePublishing(transaction, { key, person }, added)
    const bad = findBadSettings(changed, await readCustomFields(transaction, key.mapId))
    if (bad.length > 0) throw new RefusedError(bad)
    const columns = { settings: json, problem: null }
    if (draft.outcome !== null && isEqualBut(rowSettings, before, changed)) {
      await updateDraft(transaction, draft, { ...columns, outcome: JSON.stringify(stale(draft.outcome)) })
      return false
    }
    if (draft.state === 'examining' && !isExaminedAgain) {
      await updateDraft(transaction, draft, columns)
      return false
    }
    await updateDraft(transaction, draft, { ...columns, state: 'examined', outcome: null })
    if (isExaminedAgain) await beginStep(transaction, { key, step: 'examining', person })
    return isExaminedAgain
  })
}

async function firstSettingsOfLayer(
  transaction: WriteTransaction,
  draft: ImportDraftsTable,
  layer: string | null,
): Promise<ImportSettings> {
  const [file] = await readDraftFiles(transaction, { mapId: draft.map_id, id: draft.id })
  const first = firstSettings(file?.name ?? '')
  const label = foundOf(draft)?.layers.find(({ id }) => id === layer)?.label
  return { ...first, layer, source: sourceOfLayer(first.source, label) }
}

/** Only managers publish columns, and only if a configuration is applied. */
async function refusePublishing(
  transaction: WriteTransaction,
  { key: { mapId }, person }: { key: DraftKey; person: Pick<Requester, 'roles'> },
  columns: readonly string[],
) {
  const [column] = columns
  if (column === undefined) return
  const refuse = (reason: string) => {
    throw new RefusedError('keptFor', `${column} ${reason}`)
  }
  if (!isAllowed(person.roles ?? null, 'manager', mapId))
    refuse('can only be shown to everyone by a manager of this map')
  const { isApplied, configuration } = await readNewestConfiguration(transaction, mapId)
  if (!isApplied) refuse('can only be shown to everyone after you apply a map configuration')
  if (new Set([...configuration.publicMetadata, ...columns]).size > maxPublicMetadata)
    refuse(`cannot be shown to everyone: the limit is ${maxPublicMetadata} columns`)
}

const stale = (outcome: string) => ({ ...(JSON.parse(outcome) as ImportOutcome), isStale: true })

function isEqualBut(keys: readonly string[], one: ImportSettings, other: ImportSettings): boolean {
  const rest = (settings: ImportSettings) =>
    JSON.stringify(Object.entries(settings).filter(([key]) => !keys.includes(key)))
  return rest(one) === rest(other)
}

const beginnings: Record<ImportStep, readonly ImportDraftState[]> = {
  examining: ['receiving', 'examined'],
  trying: ['examined', 'tried'],
  importing: ['tried'],
  undoing: ['imported'],
}

export function stateBefore({ state, found }: Pick<ImportDraftsTable, 'state' | 'found'>): ImportDraftState {
  switch (state) {
    case 'examining':
      return found === null ? 'refused' : 'examined'
    case 'trying':
      return 'examined'
    case 'importing':
      return 'tried'
    case 'undoing':
      return 'imported'
    default:
      return state
  }
}

type Requester = Pick<Person, 'id' | 'name' | 'tokenId'> & Partial<Pick<Person, 'roles'>>

export type StepRequest = {
  key: DraftKey
  step: ImportStep
  person: Requester
}

/** Throws if newer imports changed features of this one: undoing it needs a confirmation then. */
export async function refuseBeforeNewer(database: Database, key: DraftKey, caller: QueueClient) {
  const draft = await readDraft(database.read, key)
  if (draft?.state !== 'imported') return
  const newer = await readNewerImports(database, caller, draft.import_id)
  if (newer.length > 0) throw new ConflictError(`${undoFirst(newer)} Confirm to undo this import anyway.`)
}

export async function beginStep(transaction: WriteTransaction, { key, step, person }: StepRequest) {
  const isTrial = step === 'trying'
  const draft = await requireDraft(transaction, key, [
    ...beginnings[step],
    step,
    // A preview requested while files are examined begins afterward.
    ...(isTrial ? (['examining'] as const) : []),
  ])
  if (draft.state === step) return
  const { id: personId, name, tokenId } = person
  const actor = { id: personId, name, ...(tokenId === undefined ? {} : { tokenId }) }
  if (isTrial && draft.state === 'examining') {
    requireKind(draft)
    return updateDraft(transaction, draft, { trial_actor: JSON.stringify(actor) })
  }
  if (isTrial) requireLayer(draft)
  if (step === 'importing') {
    refuseStale(draft)
    await refusePublishing(transaction, { key, person }, columnsFor('everybody', settingsOf(draft).keptFor))
  }
  if (step === 'undoing') await refuseUndoOfNothing(transaction, draft)
  const attempt = draft.attempt + 1
  const begun = { state: step, attempt, progress: null, problem: null, trial_actor: null }
  await updateDraft(transaction, draft, begun)
  const { mapId, id } = key
  const payload = { id, attempt, actor }
  await insertJob(
    transaction,
    { mapId, kind: importDraftJobName, key: `${id} ${attempt}`, payload },
    Date.now(),
  )
}

async function refuseUndoOfNothing(
  transaction: WriteTransaction,
  { map_id, import_id }: Pick<ImportDraftsTable, 'map_id' | 'import_id'>,
) {
  const imports = await findImports(transaction, import_id, map_id)
  if (imports.length === 0)
    throw new ConflictError('This import changed nothing, so there is nothing to undo.')
}

function refuseStale(draft: ImportDraftsTable) {
  if (outcomeOf(draft)?.isStale)
    throw new ConflictError('Settings of rows changed after the preview. Preview the import again.')
}

function requireKind(draft: ImportDraftsTable) {
  if (settingsOf(draft).kind === null) throw new RefusedError('kind', 'is required')
}

function requireLayer(draft: ImportDraftsTable) {
  requireKind(draft)
  if (!foundOf(draft)?.layer)
    throw new RefusedError('layer', 'is required, and its projection if it is not in the file')
}

export function cancelStep(database: Database, key: DraftKey): Promise<void> {
  return database.write(async (transaction) => {
    const draft = await requireDraft(transaction, key)
    if (!isImportStep(draft.state)) return
    await updateDraft(transaction, draft, {
      state: stateBefore(draft),
      attempt: draft.attempt + 1,
      progress: null,
      trial_actor: null,
      problem: draft.found === null ? 'The import was canceled.' : null,
    })
  })
}

export function dropDraft(database: Database, key: DraftKey): Promise<void> {
  return database.write(async (transaction) => {
    const draft = await requireDraft(transaction, key)
    if (isImportStep(draft.state))
      throw new ConflictError('A step of this import is running. Cancel it first.')
    await deleteDraft(transaction, key)
  })
}

async function requireDraft(
  transaction: WriteTransaction,
  key: DraftKey,
  states?: readonly ImportDraftState[],
): Promise<ImportDraftsTable> {
  const draft = await readDraft(transaction, key)
  if (!draft) throw new NotFoundError(`Map ${key.mapId} has no import ${key.id}.`)
  if (states && !states.includes(draft.state))
    throw new ConflictError(`This import ${words[draft.state]}. Reload it and try again.`)
  return draft
}

const words: Record<ImportDraftState, string> = {
  receiving: 'is still being uploaded',
  examining: 'is being examined',
  refused: 'was rejected',
  examined: 'has no preview yet',
  trying: 'is being previewed',
  tried: 'has a preview and is not imported yet',
  importing: 'is being imported',
  imported: 'is already imported',
  undoing: 'is being undone',
  undone: 'is already undone',
}
