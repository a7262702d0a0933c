import { randomBytes } from 'node:crypto'
import { parse } from 'node:path'
import { isAllowed } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { Definition } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import {
  type ImportDraftState,
  type ImportOutcome,
  type ImportSettings,
  type ImportStep,
  isImportStep,
  type NewImportDraft,
  unsaidSettings,
} from '#domain/imports/import-draft.schema.ts'
import type { ImportLayout } from '#domain/imports/import-layout.schema.ts'
import { mostPublicMetadata } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import type { Asker } from '../../database/fair-queue.ts'
import type { ImportDraftFilesTable, ImportDraftsTable } from '../../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../../domain-error.ts'
import { readOwnFields } from '../../features/own-fields.queries.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { readNewestConfiguration } from '../../map-configuration/map-configuration.queries.ts'
import { lockOpenMap } from '../../maps/maps.queries.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
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
} from '../import-drafts.queries.ts'
import { fieldsOfKind, updatablePaths } from '../mapping/fields.ts'
import { columnsFor } from '../mapping/kept-columns.ts'
import { sourceOfLayer } from '../mapping/source-identity.ts'
import { findImports, readNewerImports } from '../publishing/imports.queries.ts'
import { undoFirst } from '../publishing/undo-import.ts'

export const importDraftJobName = 'import-draft'

/** Their files take room. */
const mostDraftsOfMap = 50

type Sender = { mapId: string; person: Person } & Pick<ImportLimits, 'mostBytes' | 'quotaBytes'>

/** Announces files. Sent twice they are there once. */
export async function startDraft(
  database: Database,
  { mapId, person, mostBytes, quotaBytes }: Sender,
  { id, files }: NewImportDraft,
): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostBytes)
    throw new RefusedError('files', `have at most ${mostBytes / 1024 / 1024} MB together`)
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const key = { mapId, id }
    const known = await readDraft(transaction, key)
    if (known) {
      const before = (await readDraftFiles(transaction, key)).map(({ name, size }) => ({ name, size }))
      if (known.person_id === person.id && JSON.stringify(before) === JSON.stringify(files)) return
      throw new ConflictError('Another import has this id.')
    }
    if ((await countDrafts(transaction, mapId)) >= mostDraftsOfMap)
      throw new ConflictError(`There are ${mostDraftsOfMap} imports of this map: forget some of them first.`)
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

/** Each file takes its size twice: in the file store, and in the folder in which it is prepared. */
async function requireImportQuota(
  transaction: WriteTransaction,
  { mapId, quotaBytes }: { mapId: string; quotaBytes: number },
  sentBytes: number,
) {
  const used = await sumDraftBytes(transaction, mapId)
  if (used + 2 * sentBytes <= quotaBytes) return
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`
  throw new RefusedError(
    'files',
    `need ${megabytes(2 * sentBytes)}; the imports of this map take ${megabytes(used)} of ${megabytes(quotaBytes)} (IMPORT_QUOTA_MB). Discard imports that are no longer needed`,
  )
}

/** As the command line has it: the source is called like the file. */
const firstSettings = (fileName: string): ImportSettings => ({
  ...unsaidSettings,
  source: sourceOf(fileName),
})

const sourceOf = (fileName: string) => parse(fileName).name.slice(0, 200) || fileName

/** Of all settings of a draft together, each of which may come in a request of its own. */
const mostSettingsCharacters = 2 ** 20

/** Their columns say where a row is. */
const ofPlace = ['latitude', 'longitude', 'wkt']

/** They decide which records and places there are. */
const ofRecords = ['headerRow', 'geometryColumn', 'decimalMark'] as const satisfies (keyof ImportLayout)[]

/** They are said of what a trial found, which stays in view until it is tried again. */
const saidOfRows = [
  'keepsEdits',
  'bringsBack',
  'missing',
  'leftOut',
  'mended',
] as const satisfies (keyof ImportSettings)[]

/** Changes the settings of an import and drops the outcome of an earlier trial. Returns whether the files are examined again. */
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
    // What was said of another table, or is not to hold any more, means nothing for this one.
    const isFromAnew =
      (isOtherLayer && before.layer !== null) || (settings.takesRecipe === false && before.takesRecipe)
    const first = isFromAnew ? await firstSettingsOfLayer(transaction, draft, layer) : before
    const changed = { ...first, ...settings }
    // What is looked at, and where it lies.
    const isLookedAtAnew =
      isFromAnew ||
      isOtherLayer ||
      changed.projection !== before.projection ||
      changed.areCoordinatesSwapped !== before.areCoordinatesSwapped ||
      ofPlace.some((field) => changed.columns[field] !== before.columns[field]) ||
      ofRecords.some((part) => changed.layout[part] !== before.layout[part])
    if (isOtherLayer && !isFromAnew) {
      const own = await firstSettingsOfLayer(transaction, draft, layer)
      // Two layers of one file are two sources, unless somebody has said what they are.
      const unnamed = await firstSettingsOfLayer(transaction, draft, null)
      if (changed.source === unnamed.source) changed.source = own.source
    }
    if (changed.kind !== before.kind && settings.onlyFields === undefined) changed.onlyFields = null
    const json = JSON.stringify(changed)
    if (json === JSON.stringify(before)) return false
    if (json.length > mostSettingsCharacters)
      throw new RefusedError('settings', 'are too long in all: fix that many rows in the file itself')
    const shownBefore = columnsFor('everybody', before.keptFor)
    const shown = columnsFor('everybody', changed.keptFor)
    const added = shown.filter((column) => !shownBefore.includes(column))
    await refusePublishing(transaction, { key, person }, added)
    refuseOfOtherKind(changed, await readOwnFields(transaction, key.mapId))
    const isOfRows = isEqualBut(saidOfRows, before, changed)
    const said = { settings: json, problem: null }
    if (draft.outcome !== null && isOfRows) {
      await updateDraft(transaction, draft, { ...said, outcome: JSON.stringify(stale(draft.outcome)) })
      return false
    }
    // Who is quick goes on while the files are being looked at.
    if (draft.state === 'examining' && !isLookedAtAnew) {
      await updateDraft(transaction, draft, said)
      return false
    }
    await updateDraft(transaction, draft, { ...said, state: 'examined', outcome: null })
    if (isLookedAtAnew) await beginStep(transaction, { key, step: 'examining', person })
    return isLookedAtAnew
  })
}

/** As long as nobody has said anything of this layer. */
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

/** What the public sees is a manager's decision, and only where one has decided at all. */
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
    refuse('can be shown to everybody by a manager of this map alone')
  const { isApplied, configuration } = await readNewestConfiguration(transaction, mapId)
  if (!isApplied) refuse('can be shown to everybody as soon as a configuration of this map is applied')
  if (new Set([...configuration.publicMetadata, ...columns]).size > mostPublicMetadata)
    refuse(`is one too many: everybody can see ${mostPublicMetadata} columns at most`)
}

const stale = (outcome: string) => ({ ...(JSON.parse(outcome) as ImportOutcome), isStale: true })

function isEqualBut(keys: readonly string[], one: ImportSettings, other: ImportSettings): boolean {
  const rest = (settings: ImportSettings) =>
    JSON.stringify(Object.entries(settings).filter(([key]) => !keys.includes(key)))
  return rest(one) === rest(other)
}

/** What is said must be something that can be said of the kind. */
function refuseOfOtherKind(settings: ImportSettings, ownFields: OwnFields) {
  const { kind, type, columns, values, onlyFields, layout } = settings
  const { joined, constants } = layout
  if (kind === null) {
    const isOfKind = [columns, values, joined, constants].some((said) => Object.keys(said).length > 0)
    if (type !== null || onlyFields !== null || isOfKind)
      throw new RefusedError('kind', 'must be said before what belongs to a kind')
    return
  }
  const typeField = (definitions[kind] as Definition).fields.type
  const types = typeField?.value.type === 'choice' ? typeField.value.choices : {}
  if (type !== null && !Object.hasOwn(types, type))
    throw new RefusedError('type', `${type} is no type of ${kind}`)
  const known = fieldsOfKind(kind, ownFields)
  const unknown = Object.entries({ columns, values, joined, constants }).flatMap(([of, said]) =>
    Object.keys(said)
      .filter((field) => !Object.hasOwn(known, field))
      .map((field) => ({ field: `${of}.${field}`, reason: `is no field of ${kind}` })),
  )
  if (unknown.length > 0) throw new RefusedError(unknown)
  const paths = new Set(updatablePaths(kind, ownFields))
  const other = onlyFields?.find((field) => !paths.has(field))
  if (other !== undefined) throw new RefusedError('onlyFields', `${other} is no field of ${kind}`)
}

/** A trial that is asked for meanwhile begins afterward. */
const examining: readonly ImportDraftState[] = ['examining']

/** From which states each step begins. */
const beginnings: Record<ImportStep, readonly ImportDraftState[]> = {
  examining: ['receiving', 'examined'],
  trying: ['examined', 'tried'],
  importing: ['tried'],
  undoing: ['imported'],
}

/** Where a draft is again whose step was cancelled, or failed. */
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

/** Without roles a step may publish nothing. */
type Requester = Pick<Person, 'id' | 'name' | 'tokenId'> & Partial<Pick<Person, 'roles'>>

export type StepRequest = {
  key: DraftKey
  step: ImportStep
  person: Requester
}

/** Throws if newer imports changed features of this one: undoing it needs a confirmation then. */
export async function refuseBeforeNewer(database: Database, key: DraftKey, asker: Asker) {
  const draft = await readDraft(database.read, key)
  if (draft?.state !== 'imported') return
  const newer = await readNewerImports(database, asker, draft.import_id)
  if (newer.length > 0) throw new ConflictError(`${undoFirst(newer)} To undo this one anyway, confirm it.`)
}

/** Hands the draft to the server; asked twice it happens once. What comes of it is done by who asked. */
export async function beginStep(transaction: WriteTransaction, { key, step, person }: StepRequest) {
  const isTrial = step === 'trying'
  const draft = await requireDraft(transaction, key, [
    ...beginnings[step],
    step,
    ...(isTrial ? examining : []),
  ])
  if (draft.state === step) return
  const { id: personId, name, tokenId } = person
  const actor = { id: personId, name, ...(tokenId === undefined ? {} : { tokenId }) }
  if (isTrial && draft.state === 'examining') {
    requireKind(draft)
    return updateDraft(transaction, draft, { trial_actor: JSON.stringify(actor) })
  }
  if (isTrial) refuseUnsaid(draft)
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

/** An import that changed nothing leaves no import behind. */
async function refuseUndoOfNothing(
  transaction: WriteTransaction,
  { map_id, import_id }: Pick<ImportDraftsTable, 'map_id' | 'import_id'>,
) {
  const imports = await findImports(transaction, import_id)
  if (!imports.some((row) => row.map_id === map_id))
    throw new ConflictError('This import changed nothing: there is nothing to undo.')
}

/** What is imported has been seen. */
function refuseStale(draft: ImportDraftsTable) {
  if (outcomeOf(draft)?.isStale)
    throw new ConflictError('Something was said of its rows since it was tried: try it again.')
}

function requireKind(draft: ImportDraftsTable) {
  if (settingsOf(draft).kind === null) throw new RefusedError('kind', 'must be said: what each row becomes')
}

function refuseUnsaid(draft: ImportDraftsTable) {
  requireKind(draft)
  if (!foundOf(draft)?.layer)
    throw new RefusedError('layer', 'must be chosen, and its projection said where it has none')
}

/** Ends what the server is at; nothing of it stays. */
export function cancelStep(database: Database, key: DraftKey): Promise<void> {
  return database.write(async (transaction) => {
    const draft = await requireDraft(transaction, key)
    if (!isImportStep(draft.state)) return
    await updateDraft(transaction, draft, {
      state: stateBefore(draft),
      attempt: draft.attempt + 1,
      progress: null,
      trial_actor: null,
      problem: draft.found === null ? 'It was cancelled.' : null,
    })
  })
}

/** Forgets the draft. What it has imported stays. */
export function dropDraft(database: Database, key: DraftKey): Promise<void> {
  return database.write(async (transaction) => {
    const draft = await requireDraft(transaction, key)
    if (isImportStep(draft.state)) throw new ConflictError('The server is at work on it: cancel that first.')
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
    throw new ConflictError(`It is ${words[draft.state]}. Look at it again.`)
  return draft
}

const words: Record<ImportDraftState, string> = {
  receiving: 'still on its way',
  examining: 'being looked at',
  refused: 'refused',
  examined: 'waiting for what it is',
  trying: 'being tried',
  tried: 'tried and not imported yet',
  importing: 'being imported',
  imported: 'imported already',
  undoing: 'being taken back',
  undone: 'taken back already',
}
