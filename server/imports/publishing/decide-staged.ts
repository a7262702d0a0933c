import type { OwnFields } from '#domain/features/own-fields.ts'
import type { WriteTransaction } from '../../database/database.ts'
import type { ImportOptions } from '../import-options.ts'
import type { Survey } from '../reading/survey.ts'
import { leaveOutRemoved, mayBeRemoved } from './edits.queries.ts'
import { type KeptEdits, keepFields } from './keep-edits.ts'
import { type ArrivingEntries, keepMaintenance } from './keep-maintenance.ts'
import { keepOwnValues } from './keep-own-values.ts'
import { keepUnread } from './keep-unread.ts'
import { keepUnsaid } from './keep-unsaid.ts'
import type { StagedRange } from './publish.queries.ts'

export type Decided = {
  /** Rows that leave the stage, as their features were removed here. */
  removedHere: Awaited<ReturnType<typeof leaveOutRemoved>>
  kept: KeptEdits
  /** What becomes known of maintenance, by the features' ids. */
  entries: ArrivingEntries
}

type Circumstances = {
  options: ImportOptions
  /** The fields that the client has added; version 0 where it never has. */
  own: { version: number; fields: OwnFields }
  survey: Pick<Survey, 'filled' | 'unreadRows' | 'ownColumns'>
  /** The instant of the import. */
  now: number
}

/**
 * Brings what a file says and what people did here together: of staged rows it leaves what each feature is to be. A trial and an
 * import decide by it alike.
 */
export async function decideStaged(
  transaction: WriteTransaction,
  range: StagedRange,
  { options, own, survey, now }: Circumstances,
): Promise<Decided> {
  const { bringsBack = false, onlyFields: only } = options
  const { ownColumns } = survey
  const ownFields = own.fields
  // An export has what was changed here, and says what it is to become.
  const keepsEdits = (options.keepsEdits ?? true) && ownColumns === null
  const isLookedFor = !bringsBack && (await mayBeRemoved(transaction, options))
  const removedHere = isLookedFor ? await leaveOutRemoved(transaction, range, options) : []
  if (ownColumns) await keepUnsaid(transaction, range, { columns: ownColumns, ownFields })
  await keepUnread(transaction, range, { survey, ownFields, now })
  const kept = await keepFields(transaction, range, { ownFields, now, keepsEdits, only })
  const entries = await keepMaintenance(transaction, range, now)
  if (own.version > 0) await keepOwnValues(transaction, range, ownFields)
  return { removedHere, kept, entries }
}
