import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { rolesOfClaim } from '#domain/access/access.ts'
import {
  type ApiToken,
  longestTokenMs,
  type MadeApiToken,
  maxTokensOfPerson,
  mayReach,
  type NewApiToken,
  rolesOfToken,
  signatureOf,
  type TokenScope,
  tokenPrefix,
} from '#domain/access/api-token.schema.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { ApiTokensTable } from '../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../domain-error.ts'
import { requireOpenMapIn } from '../maps/maps.queries.ts'
import { readLastRoles } from './last-roles.queries.ts'

/** Finer steps would need a write for every request. */
const lastUsedStepMs = 60_000

const expiredRetentionMs = 30 * 86_400_000

export type TokenHolder = {
  id: string
  scopes: readonly TokenScope[]
  mapIds: readonly string[]
  person: Person
}

type Maker = { person: Person; issuer: string }

export function createApiToken(
  database: Database,
  { person, issuer }: Maker,
  input: NewApiToken,
  now = Date.now(),
): Promise<MadeApiToken> {
  const expiresAt = input.expiresAt === undefined ? now + longestTokenMs : Date.parse(input.expiresAt)
  if (expiresAt <= now) throw new RefusedError('expiresAt', 'must be in the future')
  if (expiresAt > now + longestTokenMs) throw new RefusedError('expiresAt', 'must be within a year')
  const closed = input.mapIds.flatMap((mapId, index) =>
    mayReach(person.roles, mapId) ? [] : [{ field: `mapIds.${index}`, reason: 'is not one of your maps' }],
  )
  if (closed.length > 0) throw new RefusedError(closed)
  const secret = tokenPrefix + randomBytes(32).toString('base64url')
  return database.write(async (transaction) => {
    for (const mapId of input.mapIds) await requireOpenMapIn(transaction, mapId)
    await transaction
      .deleteFrom('api_tokens')
      .where('expires_at', '<', now - expiredRetentionMs)
      .execute()
    const { count } = await transaction
      .selectFrom('api_tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('person_id', '=', person.id)
      .executeTakeFirstOrThrow()
    if (count >= maxTokensOfPerson)
      throw new ConflictError(
        `You have ${maxTokensOfPerson} access tokens, which is the limit. Revoke one of them first.`,
      )
    const row: ApiTokensTable = {
      id: randomUUID(),
      token_hash: hashOf(secret),
      name: input.name,
      issuer,
      person_id: person.id,
      person_name: person.name,
      scopes: JSON.stringify(input.scopes),
      created_at: now,
      expires_at: expiresAt,
      last_used_at: null,
    }
    await transaction.insertInto('api_tokens').values(row).execute()
    await transaction
      .insertInto('api_token_maps')
      .values(input.mapIds.map((map_id) => ({ map_id, token_id: row.id })))
      .execute()
    const [made] = await toApiTokens(transaction, [row])
    return { ...(made as ApiToken), secret }
  })
}

const tokenShape = new RegExp(`^${tokenPrefix}[\\w-]{43}$`)

type Issued = {
  /** The key of `last_roles`. */
  digestOf: (personId: string) => string
  issuer: string
}

/** Undefined for an unknown or expired token. */
export async function readTokenHolder(
  database: Database,
  secret: string,
  { digestOf, issuer }: Issued,
  now = Date.now(),
): Promise<TokenHolder | undefined> {
  if (!tokenShape.test(secret)) return undefined
  const row = await database.read
    .selectFrom('api_tokens')
    .selectAll()
    .where('token_hash', '=', hashOf(secret))
    .where('issuer', '=', issuer)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const maps = await database.read
    .selectFrom('api_token_maps')
    .select('map_id')
    .where('token_id', '=', row.id)
    .orderBy('map_id')
    .execute()
  const mapIds = maps.map(({ map_id }) => map_id)
  const words = await readLastRoles(database, digestOf(row.person_id), now)
  if ((row.last_used_at ?? 0) < now - lastUsedStepMs) noteUse(database, row.id, now)
  return {
    id: row.id,
    scopes: JSON.parse(row.scopes),
    mapIds,
    person: {
      id: row.person_id,
      name: signatureOf(row.person_name, row.name),
      roles: rolesOfToken(rolesOfClaim(words), mapIds),
      tokenId: row.id,
    },
  }
}

export async function listTokensOfPerson({ read }: Database, personId: string): Promise<ApiToken[]> {
  const rows = await read
    .selectFrom('api_tokens')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return toApiTokens(read, rows)
}

export async function listTokensOfMap({ read }: Database, mapId: string): Promise<ApiToken[]> {
  const rows = await read
    .selectFrom('api_tokens')
    .selectAll('api_tokens')
    .innerJoin('api_token_maps', 'api_token_maps.token_id', 'api_tokens.id')
    .where('api_token_maps.map_id', '=', mapId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  const tokens = await toApiTokens(read, rows)
  return tokens.map((token) => ({ ...token, maps: token.maps.filter((map) => map.id === mapId) }))
}

export function revokeApiToken(database: Database, id: string, personId: string): Promise<void> {
  return database.write(async (transaction) => {
    const revoked = await transaction
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where('person_id', '=', personId)
      .returning('id')
      .execute()
    if (revoked.length === 0) throw noToken(id)
  })
}

/** Deletes a token without any remaining map. Throws if the token does not reach the map. */
export function revokeOnMap(database: Database, id: string, mapId: string): Promise<void> {
  return database.write(async (transaction) => {
    const revoked = await transaction
      .deleteFrom('api_token_maps')
      .where('token_id', '=', id)
      .where('map_id', '=', mapId)
      .returning('token_id')
      .execute()
    if (revoked.length === 0) throw noToken(id)
    const otherMaps = transaction.selectFrom('api_token_maps').select('token_id')
    await transaction
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where('id', 'not in', otherMaps.where('token_id', '=', id))
      .execute()
  })
}

const noToken = (id: string) => new NotFoundError(`There is no access token ${id}. It may have been revoked.`)

const noting = new Set<string>()

function noteUse(database: Database, id: string, now: number) {
  if (noting.has(id)) return
  noting.add(id)
  void database
    .write((transaction) =>
      transaction.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute(),
    )
    .catch(() => {})
    .finally(() => noting.delete(id))
}

async function toApiTokens(
  read: ReadDatabase | WriteTransaction,
  rows: readonly ApiTokensTable[],
): Promise<ApiToken[]> {
  if (rows.length === 0) return []
  const reached = await read
    .selectFrom('api_token_maps')
    .leftJoin('clients', 'clients.map_id', 'api_token_maps.map_id')
    .select(['token_id', 'api_token_maps.map_id', 'clients.name'])
    .where(
      'token_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('clients.name')
    .orderBy('api_token_maps.map_id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    maps: reached
      .filter(({ token_id }) => token_id === row.id)
      .map(({ map_id: id, name }) => ({ id, name: name ?? id })),
    madeBy: row.person_name,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }))
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
