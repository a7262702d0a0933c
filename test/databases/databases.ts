import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { checkStatements } from './map-statements.ts'
import { takePostgresDatabase } from './postgres-databases.ts'

export type Engine = Database['engine']

export type TestDatabase = Database & {
  location: DatabaseLocation
  /** Runs before the database closes, the latest first. Databases that tests open themselves lack it. */
  beforeClose?(cleanup: () => unknown): void
}

/**
 * Creates an empty, migrated database. Created in a test or `beforeEach` it lasts for the test, else for the file.
 */
export type CreateDatabase = () => Promise<TestDatabase>

type OnEngine = {
  engine: Engine
  createLocation(): Promise<DatabaseLocation>
}

type Body = (createDatabase: CreateDatabase, on: OnEngine) => void

export function onEachEngine(name: string, body: Body): void {
  onEngine('sqlite', name, body)
  onEngine('postgres', name, body)
}

/** For tests that only concern one engine or need no database (SQLite is faster). */
export function onEngine(engine: Engine, name: string, body: Body): void {
  const isMissing = engine === 'postgres' && inject('postgresUrl') === null
  describe.skipIf(isMissing)(`${name} on ${engine}`, () => defineOn(engine, body))
}

function defineOn(engine: Engine, body: Body) {
  const ofTest: Cleanup[] = []
  const ofFile: Cleanup[] = []
  let current = ofFile
  let hasAnyFailed = false
  beforeEach(() => {
    current = ofTest
  })
  afterEach(async ({ task }) => {
    current = ofFile
    const hasFailed = task.result?.state === 'fail'
    hasAnyFailed ||= hasFailed
    await cleanUp(ofTest, { hasFailed })
    await checkStatements()
  })
  afterAll(async () => {
    await cleanUp(ofFile, { hasFailed: hasAnyFailed })
    await checkStatements()
  })

  const createLocation = () => locationMakers[engine](current, { isMigrated: false })
  const createDatabase = async () => {
    const cleanups = current
    const location = await locationMakers[engine](cleanups, { isMigrated: true })
    const database = await openDatabase(location)
    cleanups.push(() => database.close())
    return Object.assign(database, {
      location,
      beforeClose: (cleanup: () => unknown) => void cleanups.push(cleanup),
    })
  }
  body(createDatabase, { engine, createLocation })
}

type Outcome = { hasFailed: boolean }
type Cleanup = (by: Outcome) => unknown

async function cleanUp(cleanups: Cleanup[], outcome: Outcome) {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup(outcome)
}

type LocationMaker = (cleanups: Cleanup[], kind: { isMigrated: boolean }) => Promise<DatabaseLocation>

const locationMakers: Record<Engine, LocationMaker> = {
  async sqlite(cleanups, { isMigrated }) {
    const dataDirectory = temporaryFolder(cleanups)
    if (isMigrated) cpSync(inject('sqliteTemplate'), dataDirectory, { recursive: true })
    return { dataDirectory, databaseUrl: undefined }
  },
  async postgres(cleanups, kind) {
    const { url, giveBack } = await takePostgresDatabase(kind)
    cleanups.push(giveBack)
    return { dataDirectory: temporaryFolder(cleanups), databaseUrl: url }
  },
}

function temporaryFolder(cleanups: Cleanup[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-test-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes `analyze` fail on PostgreSQL. */
export async function breakAnalyze({ read }: Database) {
  await sql`
    create function fails_in_analyze(id text) returns text immutable language plpgsql as ${sql.lit(
      `begin
        if current_query() like 'analyze%' then raise exception 'No space left' using errcode = '53100'; end if;
        return id;
      end`,
    )}`.execute(read)
  await sql`create index trouble on features (fails_in_analyze(id))`.execute(read)
}
