import { runCommand, say, UsageError, warn, withDatabase } from '../command.ts'
import { explainOutage } from '../database/outage.ts'
import { hasSqliteDatabase } from '../database/sqlite.ts'
import { FixableError } from '../domain-error.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { recordBounce } from './bounces.commands.ts'
import { BounceError, maxBounceBytes, readBounce } from './read-bounce.ts'

const usage = `Reads a message about an email that could not be delivered (RFC 3464) from standard input.

  npm run bounce --silent < message

Ends the subscriptions or report emails of the address. For a pipe of a mail server: exit code 75 if the database
cannot be reached now. DATA_DIR or DATABASE_URL selects the database. See docs/configuration.md.`

const words = {
  ended: 'The address gets no more of these emails.',
  counted: 'Temporary. Counted: the third within a week ends these emails.',
  ignored: 'Nothing to do.',
  unknown: 'The subscription or report no longer exists.',
}

const tryAgainLater = 75

async function bounce(args: readonly string[]): Promise<number> {
  if (args.some((arg) => ['--help', '-h'].includes(arg))) {
    say(usage)
    return 0
  }
  if (args.length > 0) throw new UsageError('The message comes from standard input, without arguments')
  const found = readBounce(await readInput())
  const configuration = readConfiguration(process.env)
  if (!configuration.databaseUrl && !hasSqliteDatabase(configuration.dataDirectory))
    throw new FixableError(`There is no database in ${configuration.dataDirectory} (DATA_DIR).`)
  try {
    say(words[await withDatabase(configuration, (database) => recordBounce(database, found))])
    return 0
  } catch (error) {
    const outage = explainOutage(error)
    if (!outage) throw error
    warn(outage)
    return tryAgainLater
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBounceBytes) throw new BounceError('The message is larger than 1 MB.')
  }
  return Buffer.concat(chunks).toString('utf8')
}

await runCommand(() => bounce(process.argv.slice(2)), 'Could not record the bounce.')
