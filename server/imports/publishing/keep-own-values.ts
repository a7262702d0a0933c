import type { OwnValues } from '#domain/definition/definition.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { WriteTransaction } from '../../database/database.ts'
import { searchText } from '../../features/rows/derive-columns.ts'
import { readOwners, type StagedRange, writeStaged } from './publish.queries.ts'

type Fields = { own?: OwnValues; nextDue?: string }

/**
 * What people said in the client's own fields stays where a file has no value for it. Call it before rows are compared with
 * what is there: equal rows then say the same.
 */
export async function keepOwnValues(transaction: WriteTransaction, range: StagedRange, ownFields: OwnFields) {
  for (let first = range.first; ; ) {
    const rows = await readOwners(transaction, { ...range, first })
    const last = rows.at(-1)
    if (!last) return
    first = last.row_number + 1
    for (const { former, ...row } of rows) {
      const { own: said, nextDue, ...staged } = JSON.parse(row.fields) as Fields
      const own = Object.entries({ ...(JSON.parse(former) as Fields).own, ...said })
      const kept = Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)))
      // In the order in which rows have them: equal rows are equal texts.
      const fields = JSON.stringify({ ...staged, own: kept, ...(nextDue === undefined ? {} : { nextDue }) })
      if (fields === row.fields) continue
      const search_text = searchText({ ...row, fields }, ownFields)
      await writeStaged(transaction, range, row.row_number, { fields, search_text })
    }
  }
}
