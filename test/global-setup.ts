import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/database/migrate.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { findPostgres } from '../scripts/find-tools.mjs'
import { postgisDatabase, startPostgres, templateDatabase } from './databases/postgres-cluster.ts'
import { isSharded, makeShardedTemplates } from './databases/sharded-templates.ts'
import { statementsOfAllMaps } from './databases/shardings.ts'
import { bundlePrograms } from './server/bundled-programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null if PostgreSQL is not installed. */
    postgresUrl: string | null
    /** Data directory of a migrated, empty database. */
    sqliteTemplate: string
    /** File of the origins in `statementsOfAllMaps` that tests needed. */
    usedExceptions: string
  }
}

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-template-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  const sqliteTemplate = join(folder, 'sqlite')
  await Promise.all([
    bundlePrograms(),
    makeMigrated({ dataDirectory: sqliteTemplate, databaseUrl: undefined }),
  ])
  project.provide('sqliteTemplate', sqliteTemplate)
  const usedExceptions = join(folder, 'used-exceptions.txt')
  writeFileSync(usedExceptions, '')
  project.provide('usedExceptions', usedExceptions)
  const binaries = findPostgres()
  if (!binaries) {
    if (process.env.CI) throw new Error('PostgreSQL with PostGIS is not installed.')
    console.warn('PostgreSQL with PostGIS is not installed: its half of the tests is skipped.')
    project.provide('postgresUrl', null)
    return removeFolder
  }
  const cluster = await startPostgres(binaries)
  const tearDown = async () => {
    const used = readFileSync(usedExceptions, 'utf8')
    removeFolder()
    await cluster.stop()
    if (await hasRunAll(project)) refuseUnused(used.split('\n'))
  }
  try {
    await makeTemplates(cluster.url)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('postgresUrl', cluster.url('postgres'))
  return tearDown
}

async function hasRunAll(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  const run = project.vitest.state.getTestModules().filter((module) => module.project === project)
  const hasAnyFailed = run.some((module) => module.state() === 'failed')
  return run.length === testFiles.length && !hasAnyFailed && project.config.testNamePattern === undefined
}

function refuseUnused(used: readonly string[]) {
  const unused = Object.keys(statementsOfAllMaps).filter((origin) => !used.includes(origin))
  if (unused.length > 0)
    throw new Error(`No test needs these exceptions of statementsOfAllMaps: ${unused.join(', ')}`)
}

async function makeTemplates(url: (database: string) => string) {
  await onPostgres(url('postgres'), [
    `create database ${templateDatabase}`,
    `create database ${postgisDatabase}`,
  ])
  await makeMigrated({ databaseUrl: url(templateDatabase), dataDirectory: '' })
  await onPostgres(url(postgisDatabase), ['create extension postgis'])
  if (isSharded) await makeShardedTemplates(url, templateDatabase)
}

async function onPostgres(connectionString: string, statements: string[]) {
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function makeMigrated(location: DatabaseLocation) {
  const database = await openDatabase(location)
  await migrate(database)
  await database.close()
}
