import { singleFields } from '#domain/definition/definition.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import type { WriteTransaction } from '../../database/database.ts'
import { kindOfRow } from '../../features/rows/derive-columns.ts'
import { toFeatureRow, toNewFeature } from '../../features/rows/feature-row.ts'
import { RowSet } from '../mapping/map-columns.ts'
import type { Survey } from '../reading/survey.ts'
import { withKept } from './keep-edits.ts'
import { readReplacing, type StagedRange, writeStaged } from './publish.queries.ts'

type Rules = { survey: Pick<Survey, 'filled' | 'unreadRows'>; ownFields: OwnFields; now: number }

/**
 * A value that was not understood changes nothing: the field keeps its stored value, and so do fields that follow from it. Call it
 * before rows are compared with what is there.
 */
export async function keepUnread(
  transaction: WriteTransaction,
  range: StagedRange,
  { survey, ownFields, now }: Rules,
) {
  const unread = [...survey.unreadRows].map(([field, bytes]) => [field, new RowSet(bytes)] as const)
  if (unread.length === 0) return
  const hasColumn = new Set(survey.filled.map(({ field }) => field))
  for (let first: number | null = range.first; first !== null; ) {
    const { pairs, next }: Awaited<ReturnType<typeof readReplacing>> = await readReplacing(transaction, {
      ...range,
      first,
    })
    for (const { staged, former } of pairs) {
      const paths = unread.flatMap(([field, rows]) => (rows.has(staged.row_number) ? [field] : []))
      if (paths.length === 0) continue
      const following = singleFields(fieldsOf(kindOfRow(staged), ownFields)).flatMap(([path, field]) =>
        !hasColumn.has(path) && isFollowing(field, paths) ? [path] : [],
      )
      const merged = withKept(toNewFeature(staged), toNewFeature(former), [...paths, ...following])
      const columns = toFeatureRow(merged, { now, importId: range.importId, ownFields })
      await writeStaged(transaction, range, staged.row_number, columns)
    }
    first = next
  }
}

/** A name is made of the type where no column has one. */
const isFollowing = (
  { impliedBy, column }: { impliedBy?: string; column?: string },
  paths: readonly string[],
) => (impliedBy !== undefined && paths.includes(impliedBy)) || (column === 'name' && paths.includes('type'))
