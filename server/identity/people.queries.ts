import { rolesOfClaim } from '#domain/access/access.ts'
import { maxListedMaps, type PersonAccess } from '#domain/access/people.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { foldText } from '#domain/values/text.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import { rememberedMs } from './last-roles.queries.ts'

type Position = { at: number; id: string }
type Page = { text: string | undefined; limit: number; after: Position | undefined; now?: number }

/** Users who signed in, last sign-in first. */
export async function listPeople({ read }: Database, { text, limit, after, now = Date.now() }: Page) {
  const matching = read
    .selectFrom('last_roles')
    .where('person_name', 'is not', null)
    .where('signed_in_at', '>=', now - rememberedMs)
    .$if(Boolean(text?.trim()), (query) => query.where('search_text', 'like', `%${foldText(text ?? '')}%`))
  const rows = await matching
    .select(['person_digest', 'person_name', 'roles', 'signed_in_at'])
    .$if(after !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb('signed_in_at', '<', after?.at ?? 0),
          and([eb('signed_in_at', '=', after?.at ?? 0), eb('person_digest', '>', after?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('signed_in_at', 'desc')
    .orderBy('person_digest')
    .limit(limit + 1)
    .execute()
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()

  const people = rows.slice(0, limit).map((row) => {
    const { isAdministrator, ofMaps } = rolesOfClaim(JSON.parse(row.roles))
    return { row, isAdministrator, roles: Object.entries(ofMaps) }
  })
  const mapIds = people.flatMap(({ roles }) => roles.slice(0, maxListedMaps).map(([id]) => id))
  const names = await readMapNames(read, new Set(mapIds))
  const items = people.map(
    ({ row, isAdministrator, roles }): PersonAccess => ({
      id: row.person_digest,
      name: row.person_name ?? '',
      isAdministrator,
      maps: roles.slice(0, maxListedMaps).map(([id, role]) => ({ id, name: names.get(id) ?? null, role })),
      mapCount: roles.length,
      signedInAt: new Date(row.signed_in_at).toISOString(),
    }),
  )
  const last = rows.length > limit ? people.at(-1)?.row : undefined
  return { items, total, last: last && { at: last.signed_in_at, id: last.person_digest } }
}

/** The claim may contain any text: PostgreSQL rejects some characters. */
async function readMapNames(read: ReadDatabase, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const valid = [...ids].filter((id) => mapId.safeParse(id).success)
  if (valid.length === 0) return new Map()
  const rows = await read
    .selectFrom('clients')
    .select(['map_id', 'name'])
    .where('map_id', 'in', valid)
    .execute()
  return new Map(rows.map(({ map_id, name }) => [map_id, name]))
}
