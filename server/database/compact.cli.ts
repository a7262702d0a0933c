import { parseArgs } from 'node:util'
import { runCommand, say, secondsSince, UsageError, withDatabase } from '../command.ts'
import { FixableError } from '../domain-error.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { readMigrations, refuseForeignDatabase } from './migrate.ts'
import { hasSqliteDatabase } from './sqlite.ts'

const usage = `Gives back the room that the database does not need any more, while the server may go on running.

  npm run compact

SQLite: VACUUM. Changes wait meanwhile; it needs as much room again as the database has, until it is done.
PostgreSQL: VACUUM (ANALYZE) of our tables, which keeps nobody waiting. What was deleted is free for new rows; only what
is free at the end of a table goes back to the disk. For all of it, an administrator runs VACUUM FULL at a quiet hour.

The database is the one that DATA_DIR or DATABASE_URL names. docs/operations.md says more.`

const what = { sqlite: 'SQLite: VACUUM', postgres: 'PostgreSQL: VACUUM (ANALYZE)' } as const

const bytes = (count: number) => `${count.toLocaleString('en-US')} bytes`

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

await runCommand(() => compact(process.argv.slice(2)), 'The database was not made smaller.')
