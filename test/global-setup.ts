import type { TestProject } from 'vitest/node'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { findPostgres } from '../scripts/find-tools.mjs'
import { startPostgres } from './postgres-cluster.ts'
import { templateDatabase } from './postgres-template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL server's own database, or null where PostgreSQL is not installed. */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject) {
  const binaries = findPostgres()
  if (!binaries) {
    if (process.env.CI) throw new Error('PostgreSQL with PostGIS is not installed.')
    console.warn('PostgreSQL with PostGIS is not installed: its half of the tests is skipped.')
    project.provide('postgresUrl', null)
    return
  }
  const cluster = await startPostgres(binaries)
  try {
    await makeTemplate(cluster.url)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  project.provide('postgresUrl', cluster.url('postgres'))
  return cluster.stop
}

async function makeTemplate(url: (database: string) => string) {
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString: url('postgres') })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const template = await openDatabase({ databaseUrl: url(templateDatabase), dataDirectory: '' })
  await migrate(template)
  await template.close()
}
