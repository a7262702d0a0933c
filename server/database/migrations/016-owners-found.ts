import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Makes owners of parcels searchable. A mark limits their words to searches of users who may see owners. */
export const ownersFoundMigration: Migration = {
  name: '016-owners-found',
  async up(transaction) {
    let [mapId, id] = ['', '']
    for (;;) {
      const { rows } = await sql<Row>`
        select map_id, id, search_text, fields from features
        where (map_id, id) > (${mapId}, ${id}) order by map_id, id limit ${sql.lit(rowsAtOnce)}`.execute(
        transaction,
      )
      for (const row of rows) {
        const words = ownersWords(row)
        if (words.length === 0) continue
        const searchText = [row.search_text, ...words].join(' ')
        await sql`update features set search_text = ${searchText} where map_id = ${row.map_id} and id = ${row.id}`.execute(
          transaction,
        )
      }
      const last = rows.at(-1)
      if (!last || rows.length < rowsAtOnce) return
      mapId = last.map_id
      id = last.id
    }
  },
}

type Row = { map_id: string; id: string; search_text: string; fields: string }
const rowsAtOnce = 2_000

function ownersWords({ fields }: Row): string[] {
  const { owner } = JSON.parse(fields) as { owner?: unknown }
  if (typeof owner !== 'string') return []
  const folded = owner
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const words = folded.split(' ').filter(Boolean)
  return words.map((word) => `~${[...word].slice(0, 200).join('')}`)
}
