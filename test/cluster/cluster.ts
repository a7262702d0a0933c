import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { projectFolder } from '#test/server/processes.ts'
import { findPostgres } from '../../scripts/find-tools.mjs'
import { writeHaproxySettings } from './haproxy.ts'
import { answers, freePorts, host, makePrivate, type Part, ready, startPart } from './parts.ts'
import { writePatroniSettings } from './patroni.ts'
import { writePgbouncerSettings } from './pgbouncer.ts'
import { startServer } from './server.ts'
import { objectStoreSettings, startSwift, swiftAnswers, swiftPorts } from './swift.ts'

// HAProxy, servers of this product, Swift, PgBouncer, and PostgreSQL with Patroni and etcd, in a temporary folder.

export type Cluster = {
  /** The page, behind HAProxy. */
  app: string
  /** The primary, behind PgBouncer. */
  databaseUrl: string
  addresses: Record<string, string>
  folder: string
  /** `etcd1` to `etcd3`, `pg1` to `pg3`, `pgbouncer`, `haproxy`, `objects`, and `server1`, `server2` and so on. */
  part(name: string): Part
  /** Names of the PostgreSQL servers in a role. */
  inRole(role: Role): Promise<string[]>
  /** Resolves when everything runs. */
  whole(): Promise<void>
  stop(): Promise<void>
}

type Role = 'primary' | 'synchronous' | 'asynchronous'

const names = ['pg1', 'pg2', 'pg3'] as const
const etcdNames = ['etcd1', 'etcd2', 'etcd3'] as const
const debianPackages = {
  etcd: 'etcd-server',
  patroni: 'patroni python3-etcd',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  memcached: 'memcached',
}

/** Debian packages to install before the cluster can start. */
export function missingPackages(): string[] {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter)
  const missing = Object.entries(debianPackages)
    .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
    .map(([, name]) => name)
  return findPostgres() ? missing : [...missing, 'postgresql', 'postgresql-postgis']
}

type ClusterOptions = {
  servers: number
  signal: AbortSignal
  /** Settings of the servers. */
  settings?: Record<string, string>
  /** Folder of the version that a server runs. Called at each start. */
  project?: () => string
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-cluster-'))
  makePrivate(folder)
  const parts = new Map<string, Part>()
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const abandon = () => {
    for (const name of names) killPostgres(join(folder, name))
    remove()
  }
  process.once('exit', abandon)
  const stop = async () => {
    const isServer = (name: string) => name.startsWith('server')
    const stopThose = (isOne: (name: string) => boolean) =>
      Promise.all([...parts].filter(([name]) => isOne(name)).map(([, part]) => part.stop()))
    await stopThose(isServer)
    await stopThose((name) => !isServer(name) && !name.startsWith('etcd'))
    await stopThose((name) => name.startsWith('etcd'))
    process.off('exit', abandon)
    remove()
  }
  try {
    return { ...(await startParts(folder, parts, options)), folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(folder: string, parts: Map<string, Part>, options: ClusterOptions) {
  const { servers: serverCount, signal, settings = {}, project = () => projectFolder } = options
  const binaries = findPostgres() ?? ''
  const serverNames = Array.from({ length: serverCount }, (_, index) => `server${index + 1}` as const)
  const ports = await freePorts([
    ...(['app', 'primary', 'replica', 'pgbouncer'] as const),
    ...etcdNames.flatMap((name) => [name, `${name}-peer`] as const),
    ...swiftPorts,
    ...names.flatMap((name) => [`${name}-postgres`, `${name}-rest`] as const),
    ...serverNames,
  ])
  const add = (name: string, part: Part) => parts.set(name, part)
  const start = (name: string, command: string[]) => add(name, startPart(folder, name, command))
  const nodes = names.map((name) => ({ postgres: ports[`${name}-postgres`], rest: ports[`${name}-rest`] }))
  const servers = serverNames.map((name) => ports[name] ?? 0)
  const app = `http://localhost:${ports.app}`
  const etcds = etcdNames.map((name) => `${host}:${ports[name]}`)

  async function startDatabase() {
    const peerOf = (name: (typeof etcdNames)[number]) => `http://${host}:${ports[`${name}-peer`]}`
    for (const name of etcdNames) {
      const [client, peer] = [`http://${host}:${ports[name]}`, peerOf(name)]
      start(name, [
        ...['etcd', '--name', name, '--data-dir', join(folder, name)],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', etcdNames.map((other) => `${other}=${peerOf(other)}`).join()],
      ])
    }
    for (const etcd of etcds) await ready('etcd', signal, answers(`http://${etcd}/health`))
    for (const [index, node] of nodes.entries()) {
      const name = names[index] ?? ''
      const path = writePatroniSettings(folder, name, binaries, etcds, node)
      const part = startPart(folder, name, ['patroni', path])
      add(name, { ...part, kill: () => killWithPostgres(part, join(folder, name)) })
    }
    start('haproxy', ['haproxy', '-db', '-f', writeHaproxySettings(folder, ports, servers, nodes)])
    await ready('PostgreSQL', signal, hasOne('primary'))
    await ready('The database', signal, () => createDatabase(ports.primary))
    await allDatabases()
    const served = { port: ports.primary, database: 'poa', user: 'poa' }
    start('pgbouncer', ['pgbouncer', writePgbouncerSettings(folder, ports.pgbouncer, served)])
    await ready('PgBouncer', signal, () => succeeds(databaseUrl, 'select 1'))
  }

  const databaseUrl = `postgres://poa@${host}:${ports.pgbouncer}/poa`
  const readUrl = `postgres://poa@${host}:${ports.replica}/poa`
  const inRole = async (role: Role) => {
    const isIn = nodes.map(({ rest }) => answers(`http://${host}:${rest}/${role}`)().catch(() => false))
    const found = await Promise.all(isIn)
    return names.filter((_, index) => found[index])
  }
  const hasOne = (role: Role) => async () => (await inRole(role)).length === 1
  const allDatabases = async () => {
    await ready('The primary', signal, hasOne('primary'))
    await ready('The synchronous standby', signal, hasOne('synchronous'))
    await ready('The asynchronous replica', signal, hasOne('asynchronous'))
  }
  const answersAt = (port: number) => answers(`http://${host}:${port}/health/ready`)

  await Promise.all([startDatabase(), startSwift(folder, ports, signal, add)])
  for (const [index, name] of serverNames.entries()) {
    const port = servers[index] ?? 0
    const own = {
      DATABASE_URL: databaseUrl,
      DATABASE_READ_URL: readUrl,
      PUBLIC_URL: app,
      ...objectStoreSettings(ports),
      ...settings,
    }
    add(name, startServer(folder, name, { port, settings: own, project }))
    await ready(name, signal, answersAt(port))
  }
  await ready('HAProxy', signal, answersAt(ports.app))

  return {
    app,
    databaseUrl,
    inRole,
    part(name: string) {
      const part = parts.get(name)
      if (!part) throw new Error(`There is no part ${name}.`)
      return part
    },
    async whole() {
      await Promise.all([allDatabases(), swiftAnswers(ports, signal)])
      for (const port of servers) await ready('A server', signal, answersAt(port))
    },
    addresses: {
      'Page (HAProxy)': app,
      ...Object.fromEntries(
        servers.map((port, index) => [`Server ${index + 1}`, `http://localhost:${port}`]),
      ),
      PgBouncer: databaseUrl,
      'Primary (HAProxy)': `postgres://postgres@${host}:${ports.primary}/poa`,
      'Replicas (HAProxy)': readUrl,
      ...Object.fromEntries(
        nodes.map(({ postgres, rest }, index) => [
          `PostgreSQL ${index + 1}`,
          `${host}:${postgres}, Patroni http://${host}:${rest}/cluster`,
        ]),
      ),
      etcd: etcds.join(', '),
      Swift: objectStoreSettings(ports).FILE_STORE_URL,
    },
  }
}

/** Killing Patroni leaves PostgreSQL running. */
async function killWithPostgres(patroni: Part, dataFolder: string) {
  await patroni.kill()
  killPostgres(dataFolder)
}

function killPostgres(dataFolder: string) {
  try {
    const [pid] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    // It is not running.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

async function createDatabase(primaryPort: number): Promise<boolean> {
  const administrator = `postgres://postgres@${host}:${primaryPort}`
  await succeeds(`${administrator}/postgres`, 'create role poa login')
  await succeeds(`${administrator}/postgres`, "create database poa owner poa encoding 'UTF8'")
  return succeeds(`${administrator}/poa`, 'create extension if not exists postgis')
}

async function succeeds(url: string, query: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  // A connection that ends early fails its query as well.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(query)
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
