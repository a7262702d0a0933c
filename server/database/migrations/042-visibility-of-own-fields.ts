import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

type OldField = { type: string; isPersonal?: boolean; [other: string]: unknown }

const searchedTypes = ['line', 'link', 'choice']

/**
 * Sets the visibility of each own field. A field that was personal becomes visible to staff only, also on
 * maps that publish personal data, and so do its words: '~' marked those of personal fields, '~~' marks those
 * of staff. Until the job has recomputed them, only staff find the words of other personal fields.
 */
export const visibilityOfOwnFieldsMigration: Migration = {
  name: '042-visibility-of-own-fields',
  async up(transaction) {
    const { rows } = await sql<{ map_id: string; fields: string; removed: string; version: number }>`
      select map_id, fields, removed, version from own_fields`.execute(transaction)
    for (const row of rows) {
      const [fields, removed] = [row.fields, row.removed].map(withVisibility) as [string, string]
      const hidesWords = parse(row.fields).some(
        ({ type, isPersonal }) => isPersonal !== false && searchedTypes.includes(type),
      )
      await sql`update own_fields set fields = ${fields}, removed = ${removed} where map_id = ${row.map_id}`.execute(
        transaction,
      )
      if (!hidesWords) continue
      const now = Date.now()
      await sql`update features set search_text = ltrim(replace(' ' || search_text, ' ~', ' ~~'))
        where map_id = ${row.map_id} and search_text like '%~%'`.execute(transaction)
      await sql`update own_fields set words_after = '' where map_id = ${row.map_id}`.execute(transaction)
      await sql`insert into jobs (map_id, id, kind, job_key, payload, created_at, run_at, attempts)
        values (${row.map_id}, ${randomUUID()}, 'own-field-words', '042', '{}', ${now}, ${now}, 0)`.execute(
        transaction,
      )
    }
  },
}

const parse = (fields: string) => Object.values(JSON.parse(fields) as Record<string, OldField[]>).flat()

function withVisibility(fields: string): string {
  const kinds = Object.entries(JSON.parse(fields) as Record<string, OldField[]>).map(([kind, some]) => [
    kind,
    some.map(({ isPersonal, help, ...own }) => ({
      ...own,
      visibleTo: isPersonal === false ? 'everyone' : 'staff',
      help,
    })),
  ])
  return JSON.stringify(Object.fromEntries(kinds))
}
