import { z } from 'zod'
import {
  type FoundInFiles,
  foundInFiles,
  type ImportOutcome,
  importOutcome,
  isImportStep,
  undoOutcome,
} from '#domain/imports/import-draft.schema.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import type { Outage } from '../../database/outage.ts'
import type { ImportDraftsTable } from '../../database/tables.ts'
import { RefusedError } from '../../domain-error.ts'
import { type AnyJobKind, defineJob, whileWanted } from '../../jobs/job-kind.ts'
import { publishMetadata } from '../../map-configuration/apply-configuration.commands.ts'
import { folderBytes } from '../../processes/processes.ts'
import type { ImportProgress } from '../import-watch.ts'
import { columnsFor } from '../mapping/map-columns.ts'
import { beginStep, importDraftJobName, stateBefore } from './import-drafts.commands.ts'
import {
  type DraftKey,
  foundOf,
  noteWorkBytes,
  outcomeOf,
  readDraft,
  readDraftFiles,
  settingsOf,
  settleAttempt,
  shownOf,
  sumDraftBytes,
} from './import-drafts.queries.ts'
import { deleteRecipe, saveRecipe } from './import-recipes.queries.ts'
import { noteProgress } from './progress-board.ts'
import { runStep, type StepAnswer, type StepOrder, type WorkPlace } from './step-process.ts'
import { removeWorkingFolder, workingFolder } from './working-folder.ts'

/** `run` runs a step: by default in a process of its own. */
export const importDraftJob = (place: WorkPlace, run = runStep): AnyJobKind =>
  defineJob({
    name: importDraftJobName,
    maxAtOnce: 2,
    payload: z.object({
      id: z.string(),
      attempt: z.number(),
      actor: z.object({ id: z.string(), name: z.string(), tokenId: z.string().exactOptional() }),
    }),
    async step({ database, mapId, payload, signal }) {
      const draft = await readDraft(database.read, { mapId, id: payload.id })
      if (draft && isCurrent(draft, payload.attempt))
        await work(database, draft, { ...place, run, actor: payload.actor }, signal)
      return 'done'
    },
    async giveUp(transaction, { mapId, payload }) {
      const draft = await readDraft(transaction, { mapId, id: payload.id })
      if (!draft || !isCurrent(draft, payload.attempt) || !isImportStep(draft.state)) return
      const problem = 'The database was unavailable for too long. Try again.'
      await settleAttempt(transaction, draft, { state: stateBefore(draft), problem })
    },
  })

const isCurrent = ({ state, attempt }: ImportDraftsTable, jobAttempt: number) =>
  attempt === jobAttempt && isImportStep(state)

async function work(
  database: Database,
  draft: ImportDraftsTable,
  { run, ...given }: WorkPlace & Pick<StepOrder, 'actor'> & { run: typeof runStep },
  stopping: AbortSignal,
) {
  const { map_id: mapId, id, state, attempt } = draft
  if (!isImportStep(state)) return
  const folder = workingFolder(given.location.dataDirectory, { mapId, id })
  const isWanted = async () => {
    const current = await readDraft(database.read, { mapId, id })
    return current !== undefined && isCurrent(current, attempt)
  }
  const onProgress = (progress: ImportProgress) => noteProgress(database, draft, progress)
  try {
    const files = await readDraftFiles(database.read, { mapId, id })
    const roomBytes = given.limits.quotaBytes - (await sumDraftBytes(database.read, mapId, id))
    const order = {
      ...given,
      folder,
      roomBytes,
      step: state,
      mapId,
      id,
      importId: draft.import_id,
      attempt,
      shown: shownOf(draft),
      settings: settingsOf(draft),
      outcome: outcomeOf(draft),
      files: files.map(({ list_order, name, size, pieces }) => ({
        index: list_order,
        name,
        size,
        pieces: JSON.parse(pieces),
      })),
    }
    await whileWanted({ isWanted, signal: stopping }, async (signal) => {
      const answer = await run(order, { signal, onProgress })
      await settle(database, draft, answer, given.actor)
      const isRefused = answer.step === 'failed' && stateBefore(draft) === 'refused'
      if (isRefused || answer.step === 'importing')
        await removeWorkingFolder(given.location.dataDirectory, { mapId, id })
    })
  } finally {
    noteProgress(database, draft, null)
    const bytes = await folderBytes(folder)
    await database.write((transaction) => noteWorkBytes(transaction, { mapId, id }, bytes)).catch(() => {})
  }
}

async function settle(
  database: Database,
  draft: ImportDraftsTable,
  answer: StepAnswer,
  actor: StepOrder['actor'],
) {
  const key = { mapId: draft.map_id, id: draft.id }
  let isSettled = false
  // Repeats if the settings change between reading and writing.
  while (!isSettled)
    isSettled = await database.write(async (transaction) => {
      const current = await readDraft(transaction, key)
      if (!current || current.attempt !== draft.attempt) return true
      if (!(await settleAttempt(transaction, current, columnsOf(current, answer, draft)))) return false
      if (answer.step === 'importing') await noteImported(transaction, draft, answer.outcome, actor)
      if (answer.step === 'examining' && current.trial_actor !== null)
        await beginWaitingTrial(transaction, key, JSON.parse(current.trial_actor))
      if (answer.step === 'undoing') await deleteRecipe(transaction, key.mapId, draft.import_id)
      return true
    })
}

async function beginWaitingTrial(transaction: WriteTransaction, key: DraftKey, person: StepOrder['actor']) {
  try {
    await beginStep(transaction, { key, step: 'trying', person })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const draft = await readDraft(transaction, key)
    if (draft) await settleAttempt(transaction, draft, { problem: error.message })
  }
}

async function noteImported(
  transaction: WriteTransaction,
  draft: ImportDraftsTable,
  { created, updated, unchanged }: ImportOutcome,
  actor: StepOrder['actor'],
) {
  const { map_id: mapId, import_id: importId } = draft
  const [settings, found] = [settingsOf(draft), foundOf(draft)]
  if (created + updated + unchanged === 0) return
  if (found) await saveRecipe(transaction, { mapId, importId, settings, found }, Date.now())
  const published = columnsFor('everybody', settings.keptFor)
  if (published.length > 0) await publishMetadata(transaction, { mapId, person: actor }, published)
}

/** `started` is the draft when the step began. Settings that changed since then win over a recipe. */
function columnsOf(
  current: ImportDraftsTable,
  answer: StepAnswer,
  started: ImportDraftsTable,
): Partial<ImportDraftsTable> {
  switch (answer.step) {
    case 'examining':
      return {
        state: 'examined',
        trial_actor: null,
        ...(current.settings === started.settings
          ? withRecipe(started, answer)
          : foundBy(started, answer.withoutRecipe)),
      }
    case 'trying':
      return { state: 'tried', outcome: outcomeJson(answer.outcome, { attempt: started.attempt }) }
    case 'importing':
      return { state: 'imported', outcome: outcomeJson(answer.outcome) }
    case 'undoing':
      return { state: 'undone', undone: JSON.stringify(undoOutcome.parse(answer.undone)) }
    case 'failed':
      return { state: stateBefore(started), trial_actor: null, problem: answer.problem }
    case 'outage':
      // A system error, so that the job is retried when the disk has room.
      throw Object.assign(new Error(answer.message), isFull(answer.outage) ? { code: 'ENOSPC' } : {})
  }
}

const isFull = (outage: Outage) => outage === 'full' || outage === 'filesFull'

type Examined = Extract<StepAnswer, { step: 'examining' }>

/** A recipe applied earlier stays as long as the layer is the same. */
function withRecipe(started: ImportDraftsTable, { found, settings }: Examined) {
  const before = foundOf(started)
  const isStillTaken = settings.takesRecipe && before?.layer === found.layer
  const recipe = found.recipe ?? (isStillTaken ? before.recipe : null)
  return { ...foundBy(started, { ...found, recipe }), settings: JSON.stringify(settings) }
}

const foundBy = ({ attempt }: ImportDraftsTable, found: FoundInFiles) => ({
  found: JSON.stringify({ ...foundInFiles.parse(found), attempt }),
})

const outcomeJson = (outcome: ImportOutcome, more: { attempt?: number } = {}) =>
  JSON.stringify({ ...importOutcome.parse(outcome), ...more })
