import { parseArgs } from 'node:util'
import { counted, formatNumber } from '#domain/values/wording.ts'
import {
  abortOnSignals,
  runCommand,
  say,
  secondsSince,
  UsageError,
  warn,
  withDatabase,
} from '../../command.ts'
import { readMigrations, refuseForeignDatabase } from '../../database/migrate.ts'
import { hasSqliteDatabase } from '../../database/sqlite.ts'
import { FixableError } from '../../domain-error.ts'
import { readMapIds } from '../../maps/maps.queries.ts'
import { readConfiguration } from '../../settings/configuration.ts'
import { rebuildMap } from './rebuild.commands.ts'

// npm run rebuild: exit code 0 done, 1 failed, 2 invalid arguments.

const usage = `Rebuilds data that is derived from features: extents, order, search words, ranks, and counts. The server can keep running.

  npm run rebuild
  npm run rebuild -- --map ID

Users see no difference unless the data was wrong, or a newer version computes it differently. If interrupted, run it
again. DATA_DIR or DATABASE_URL selects the database. See docs/operations.md.`

const lineEveryMs = 2_000

async function rebuild(args: readonly string[]): Promise<number> {
  const { help, map } = readArguments(args)
  if (help) {
    say(usage)
    return 0
  }
  const configuration = readConfiguration(process.env)
  if (!configuration.databaseUrl && !hasSqliteDatabase(configuration.dataDirectory))
    throw new FixableError(`There is no database in ${configuration.dataDirectory} (DATA_DIR).`)
  const signal = abortOnSignals('Interrupted. Run it again to rebuild the remaining features.')
  return withDatabase(configuration, async (database) => {
    const { maintenance, read } = database
    refuseForeignDatabase(await readMigrations(read, await maintenance.describeTables(read)))
    const mapIds = await readMapIds(database)
    if (map !== undefined && !mapIds.includes(map)) throw new FixableError(`There is no map ${map}.`)
    for (const mapId of map === undefined ? mapIds : [map]) {
      const start = performance.now()
      let lastLine = Date.now()
      const { features, changed } = await rebuildMap(database, mapId, {
        signal,
        onProgress(rebuilt) {
          if (Date.now() - lastLine < lineEveryMs) return
          lastLine = Date.now()
          warn(`${mapId}: ${counted(rebuilt.features, 'feature')}`)
        },
      })
      say(
        `${mapId}: ${counted(features, 'feature')} in ${secondsSince(start)}, ${formatNumber(changed)} changed`,
      )
    }
    return 0
  })
}

function readArguments(args: readonly string[]): { help?: boolean; map?: string } {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, map: { type: 'string' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split(/\n|\. To specify/)[0])
  }
}

await runCommand(() => rebuild(process.argv.slice(2)), 'Could not rebuild everything.')
