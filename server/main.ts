import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { explainOutage, outageOf } from './database/outage.ts'
import { FixableError } from './domain-error.ts'
import { removeExpiredExports } from './exports/background/background-exports.commands.ts'
import { exportsFolder } from './exports/conversion/convert-rows.ts'
import { startPhotoMaker } from './files/photo-maker.ts'
import { removeUnusedFiles } from './files/remove-unused-files.ts'
import { requireOwnStore } from './files/store-identity.ts'
import { createRequestCounter } from './http/shared-rate-limit.ts'
import { demoHandlers } from './identity/demo/demo-provider.ts'
import { deleteOldDrafts } from './imports/drafts/working-folder.ts'
import { jobKindsAt } from './job-kinds.ts'
import { startCleanup } from './jobs/cleanup.ts'
import { startJobRunner } from './jobs/job-runner.ts'
import { type ChangeFeed, startChangeFeed } from './live-updates/change-feed.ts'
import { openMailSender } from './mail/mail-sender.ts'
import { removeOldScratch } from './processes/scratch-file.ts'
import {
  answerServers,
  askFirst,
  isOneOfSeveral,
  onNews,
  startServers,
  tellServers,
} from './processes/several-servers.ts'
import { runInThread } from './processes/threads.ts'
import { deleteOldBlocks } from './reports/blocked-senders.queries.ts'
import { eraseReporters } from './reports/reports.queries.ts'
import { hasSampleData } from './sample-data/sample-data.queries.ts'
import { type Configuration, readConfiguration } from './settings/configuration.ts'
import { openFileStore } from './settings/file-store-settings.ts'
import { isLoopbackHost } from './settings/host-names.ts'
import { queueOperatorsDigest } from './subscriptions/operators-digest.queries.ts'
import { eraseSubscribers } from './subscriptions/subscriptions.queries.ts'
import { startTilePool } from './tiles/tile-pool.ts'
import { startWebhookSender } from './webhooks/webhook-sender.ts'
import { removeOldDeliveries } from './webhooks/webhooks.queries.ts'
import { eraseContractors } from './work/work-links.queries.ts'

const say = (line: string) => console.log(line)
const pageDirectory = join(import.meta.dirname, '../dist/web')

try {
  await start(readConfiguration(process.env))
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

async function start(configuration: Configuration) {
  const database = await openDatabase(configuration, () => {})
  if (isOneOfSeveral) return serve(configuration, database)
  say(
    database.engine === 'sqlite'
      ? `Database: SQLite in ${configuration.dataDirectory}`
      : 'Database: PostgreSQL (DATABASE_URL)',
  )
  const applied = await whenReachable(() => migrate(database))
  if (applied.length > 0) say(`Database: created or updated (${applied.join(', ')})`)
  await putInSampleData(configuration, database)
  const work = await startWork(configuration, database)
  if (configuration.servers === 1) return serve(configuration, database, work)

  answerServers({
    ...demoHandlers(),
    countRequest: createRequestCounter(),
    noteChange: () => tellServers('change', null),
  })
  const servers = startServers({
    count: configuration.servers,
    onReady: (address) => sayReady(configuration, address),
    onLost: () => say('A server ended unexpectedly. Starting another.'),
    onFailed: () => process.exit(1),
  })
  stopOnSignals(configuration, async () => {
    await servers.close()
    await work.close()
    await database.close()
  })
}

function onError(error: unknown) {
  say(`${explainOutage(error) ?? (error as Error).message} Retrying.`)
}

/** Work that no request waits for, once per machine. */
async function startWork(configuration: Configuration, database: Database) {
  const { fileStore, importLimits: limits, dataDirectory } = configuration
  const place = { location: configuration, fileStore, limits }
  const store = openFileStore(configuration)
  await requireOwnStore(database, store).catch((error) => {
    // Temporary errors, such as an unreachable store. /health/ready checks again.
    if (error instanceof FixableError) throw error
    onError(error)
  })
  const { mailServer, publicUrl } = configuration
  const sender = mailServer && openMailSender(mailServer)
  const operators = mailServer?.operators ?? []
  const news = sender && { sender, publicUrl, operators }
  await database.write(async (transaction) => {
    for (const email of operators) await queueOperatorsDigest(transaction, email, Date.now())
  })
  const jobs = startJobRunner(database, jobKindsAt(place, store, news), {
    onError: (error) => say(explainOutage(error) ?? (error as Error).message),
  })
  const webhooks = startWebhookSender(database, configuration, { onError })
  const cleanup = startCleanup(
    [
      {
        what: 'temporary files',
        remove: (now) => removeOldScratch([dataDirectory, tmpdir(), exportsFolder(dataDirectory)], now),
        isAtStart: true,
      },
      { what: 'unused files', remove: (now) => removeUnusedFiles(database, store, now) },
      { what: 'old exports', remove: (now) => removeExpiredExports(database, store, now) },
      { what: 'old imports', remove: (now) => deleteOldDrafts({ database, store, dataDirectory }, now) },
      {
        what: 'addresses of reporters, contractors and subscribers',
        remove: (now) =>
          database.write(async (transaction) => {
            await eraseReporters(transaction, now)
            await eraseContractors(transaction, now)
            await eraseSubscribers(transaction, now)
            await deleteOldBlocks(transaction, now)
          }),
      },
      { what: 'old webhook messages', remove: (now) => removeOldDeliveries(database, now) },
    ],
    onError,
  )
  return {
    async close() {
      await Promise.all([jobs.close(), webhooks.close()])
      sender?.close()
      await cleanup.close()
    },
  }
}

async function serve(configuration: Configuration, database: Database, work?: { close(): Promise<void> }) {
  const changes = isOneOfSeveral
    ? joinFeeds(startChangeFeed(database, onError))
    : startChangeFeed(database, onError)
  const tilePool = startTilePool(configuration, configuration.tileWorkers, undefined, () =>
    database.replica?.required(),
  )
  const photos = startPhotoMaker()
  const stopping = new AbortController()
  const app = await buildApp({
    configuration,
    database,
    changes,
    tilePool,
    store: openFileStore(configuration),
    photos,
    pageDirectory: existsSync(pageDirectory) ? pageDirectory : null,
    stopping: stopping.signal,
  })
  app.addHook('onClose', async () => {
    await Promise.all([changes.close(), work?.close()])
    await tilePool.close()
    photos.close()
    await database.close()
  })
  stopOnSignals(configuration, async () => {
    stopping.abort()
    await wait(configuration.stopDelayMs)
    await app.close()
  })

  await app.listen({ port: configuration.port, host: configuration.host })
  if (!isOneOfSeveral) sayReady(configuration, app.server.address())
}

/** A write of one server is news for all. */
function joinFeeds(feed: ChangeFeed): ChangeFeed {
  onNews('change', feed.pollSoon)
  return { ...feed, pollSoon: () => void askFirst('noteChange') }
}

type Address = string | { port: number } | null

function sayReady(configuration: Configuration, address: Address) {
  const { servers } = configuration
  warnAboutHosts(configuration)
  logIdentityProvider(configuration)
  if (!configuration.mailServer) say('Email: not set up (docs/configuration.md). Messages wait.')
  if (servers > 1) say(`Servers: ${servers}`)
  say(`\nPOA Land Management is ready: ${addressOf(configuration, address)}`)
}

async function putInSampleData(configuration: Configuration, database: Database) {
  if (!configuration.hasSampleData || (await hasSampleData(database.read))) return
  const isPutIn = await runInThread(new URL('./sample-data/seed.worker.ts', import.meta.url), configuration)
  if (isPutIn) say('Sample data: added (disable with SAMPLE_DATA=off)')
}

async function whenReachable<Result>(work: () => Promise<Result>): Promise<Result> {
  const attempts = 30
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const outage = outageOf(error)
      if (!outage || outage === 'full' || outage === 'filesFull' || attempt === attempts) throw error
      if (attempt === 1)
        say(`Database: ${outage === 'busy' ? 'busy' : 'unavailable'}. Retrying for a minute.`)
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    }
  }
}

function bold(text: string): string {
  return process.stdout.isTTY ? `\x1b[1m${text}\x1b[22m` : text
}

/** Without PUBLIC_URL, a server that listens on the network answers only requests to its own host name. */
function warnAboutHosts({ host, publicUrl, isPublicUrlSet, allowedHosts }: Configuration) {
  if (isPublicUrlSet || isLoopbackHost(host)) return
  const names = [publicUrl, ...allowedHosts].join(', ')
  say(bold(`Hosts: only requests to ${names} are accepted. Set PUBLIC_URL to the public address.`))
}

/** Logged because it determines who may change data. */
function logIdentityProvider({ identity }: Configuration) {
  if (identity.kind === 'demo')
    say(bold('Sign-in: the built-in demo provider. Anyone on this machine can become an administrator.'))
  if (identity.kind === 'none') {
    say('Sign-in: not set up (docs/configuration.md). Editing is not possible.')
    say(`Sign-in: the built-in demo provider is off, because ${identity.why}.`)
  }
  if (identity.kind !== 'oidc') return
  say(`Sign-in: ${identity.issuer}`)
  if (identity.rolesClaim === null)
    say(bold('Sign-in: without OIDC_ROLES_CLAIM, every user is an administrator.'))
}

function stopOnSignals({ stopDelayMs }: Configuration, close: () => Promise<void>) {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    if (!isOneOfSeveral) say('\nStopping.')
    setTimeout(() => process.exit(1), stopDelayMs + 10_000).unref()
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
}

function addressOf({ host }: Configuration, address: Address) {
  const port = typeof address === 'object' ? address?.port : address
  const isLoopback = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'].includes(host)
  return `http://${isLoopback ? 'localhost' : host}:${port}`
}

function explain(error: unknown): string {
  const { code, message, port, address } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use by another program. Stop it, or choose another port: PORT=3001 npm start`
  if (code === 'EACCES' && port)
    return `This user cannot use port ${port}. Choose another port: PORT=3000 npm start`
  return explainOutage(error) ?? message
}
