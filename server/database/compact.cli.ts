import { parseArgs } from 'node:util'
import { counted } from '#domain/values/wording.ts'
import { runCommand, say, secondsSince, UsageError, withDatabase } from '../command.ts'
import { FixableError } from '../domain-error.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { readMigrations, refuseForeignDatabase } from './migrate.ts'
import { hasSqliteDatabase } from './sqlite.ts'

const usage = `Frees disk space that the database no longer needs. The server can keep running.

  npm run compact

SQLite: runs VACUUM. Changes wait until it is done. It temporarily needs as much disk space as the database.
PostgreSQL: runs VACUUM (ANALYZE) on the tables without blocking. Deleted rows free space for new ones; only space
at the end of a table returns to the disk. To free all of it, run VACUUM FULL during a maintenance window.

DATA_DIR or DATABASE_URL selects the database. See docs/operations.md.`

const what = { sqlite: 'SQLite: VACUUM', postgres: 'PostgreSQL: VACUUM (ANALYZE)' } as const

const bytes = (count: number) => counted(count, 'byte')

async function compact(args: readonly string[]): Promise<number> {
  if (wantsHelp(args)) {
    say(usage)
    return 0
  }
  const configuration = readConfiguration(process.env)
  if (!configuration.databaseUrl && !hasSqliteDatabase(configuration.dataDirectory))
    throw new FixableError(`There is no database in ${configuration.dataDirectory} (DATA_DIR).`)
  const start = performance.now()
  return withDatabase(configuration, async ({ engine, maintenance, read }) => {
    refuseForeignDatabase(await readMigrations(read, await maintenance.describeTables(read)))
    const before = await maintenance.measure()
    await maintenance.compact()
    const after = await maintenance.measure()
    say(`${what[engine]}, ${secondsSince(start)}: ${bytes(before)} before, ${bytes(after)} after.`)
    return 0
  })
}

function wantsHelp(args: readonly string[]): boolean {
  try {
    return (
      parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } }).values.help ?? false
    )
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\n|\. To specify/)[0])
  }
}

await runCommand(() => compact(process.argv.slice(2)), 'Could not compact the database.')
