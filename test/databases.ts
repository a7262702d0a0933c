import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { postgisDatabase, templateDatabase } from './postgres-template.ts'

export type Engine = Database['engine']

/** `location` opens the same database again, here or in another process. */
export type TestDatabase = Database & { location: DatabaseLocation }

/** An empty, migrated database of its own. Made in a test or `beforeEach` it lives for the test, else for the file. */
export type CreateDatabase = () => Promise<TestDatabase>

export type OnEngine = {
  engine: Engine
  /** A place for a database that nobody has migrated yet. */
  createLocation(): Promise<DatabaseLocation>
}

type Body = (createDatabase: CreateDatabase, on: OnEngine) => void

/** Runs the same tests on SQLite and on PostgreSQL. */
export function onEachEngine(name: string, body: Body): void {
  onEngine('sqlite', name, body)
  onEngine('postgres', name, body)
}

/** For what only one of the engines does. */
export function onEngine(engine: Engine, name: string, body: Body): void {
  const isMissing = engine === 'postgres' && inject('postgresUrl') === null
  describe.skipIf(isMissing)(`${name} on ${engine}`, () => defineOn(engine, body))
}

function defineOn(engine: Engine, body: Body) {
  const ofTest: Cleanup[] = []
  const ofFile: Cleanup[] = []
  let current = ofFile
  beforeEach(() => {
    current = ofTest
  })
  afterEach(async () => {
    current = ofFile
    await cleanUp(ofTest)
  })
  afterAll(() => cleanUp(ofFile))

  const createLocation = () => locationMakers[engine](current, { isMigrated: false })
  const createDatabase = async () => {
    const cleanups = current
    const location = await locationMakers[engine](cleanups, { isMigrated: true })
    const database = await openDatabase(location)
    cleanups.push(() => database.close())
    return Object.assign(database, { location })
  }
  body(createDatabase, { engine, createLocation })
}

type Cleanup = () => unknown

async function cleanUp(cleanups: Cleanup[]) {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

type LocationMaker = (cleanups: Cleanup[], kind: { isMigrated: boolean }) => Promise<DatabaseLocation>

const locationMakers: Record<Engine, LocationMaker> = {
  async sqlite(cleanups, { isMigrated }) {
    const dataDirectory = temporaryFolder(cleanups)
    if (isMigrated) cpSync(inject('sqliteTemplate'), dataDirectory, { recursive: true })
    return { dataDirectory, databaseUrl: undefined }
  },
  async postgres(cleanups, { isMigrated }) {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const template = isMigrated ? templateDatabase : postgisDatabase
    await administer(`create database ${name} template ${template} strategy file_copy`)
    cleanups.push(() => administer(`drop database ${name} with (force)`))
    const url = new URL(inject('postgresUrl') ?? '')
    url.pathname = `/${name}`
    return { dataDirectory: temporaryFolder(cleanups), databaseUrl: url.href }
  },
}

function temporaryFolder(cleanups: Cleanup[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-test-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** One connection for the whole of a process: each new one costs as much as a test. It keeps nobody from ending. */
let administration: pg.Pool | undefined

async function administer(statement: string) {
  administration ??= new pg.Pool({
    connectionString: inject('postgresUrl') ?? '',
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  await administration.query(statement)
}
