import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { findPostgres } from '../../scripts/find-tools.mjs'
import { writeHaproxySettings } from './haproxy.ts'
import { answers, freePorts, host, makePrivate, type Part, ready, startPart } from './parts.ts'
import { writePatroniSettings } from './patroni.ts'
import { writePgbouncerSettings } from './pgbouncer.ts'
import { startServer } from './server.ts'

// HAProxy, servers of this product, PgBouncer, and PostgreSQL with Patroni and etcd, in a temporary folder.

type Cluster = { addresses: Record<string, string>; folder: string; stop(): Promise<void> }

const names = ['pg1', 'pg2', 'pg3'] as const
const debianPackages = {
  etcd: 'etcd-server',
  patroni: 'patroni python3-etcd',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
}

/** Debian packages to install before the cluster can start. */
export function missingPackages(): string[] {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter)
  const missing = Object.entries(debianPackages)
    .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
    .map(([, name]) => name)
  return findPostgres() ? missing : [...missing, 'postgresql', 'postgresql-postgis']
}

export async function startCluster(serverCount: number, signal: AbortSignal): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-cluster-'))
  makePrivate(folder)
  const layers: Part[][] = []
  const stop = async () => {
    for (const layer of layers.reverse()) await Promise.all(layer.map((part) => part.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { addresses: await startLayers(folder, serverCount, layers, signal), folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startLayers(folder: string, serverCount: number, layers: Part[][], signal: AbortSignal) {
  const binaries = findPostgres() ?? ''
  const serverNames = Array.from({ length: serverCount }, (_, index) => `server${index + 1}` as const)
  const ports = await freePorts([
    ...(['etcd', 'peer', 'app', 'primary', 'replica', 'pgbouncer'] as const),
    ...names.flatMap((name) => [`${name}-postgres`, `${name}-rest`] as const),
    ...serverNames,
  ])
  const start = (name: string, command: string[]) => layers.push([startPart(folder, name, command)])
  const nodes = names.map((name) => ({ postgres: ports[`${name}-postgres`], rest: ports[`${name}-rest`] }))
  const servers = serverNames.map((name) => ports[name] ?? 0)

  const etcd = `http://${host}:${ports.etcd}`
  const peer = `http://${host}:${ports.peer}`
  start('etcd', [
    ...['etcd', '--name', 'etcd1', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd1=${peer}`],
  ])
  await ready('etcd', signal, answers(`${etcd}/health`))

  layers.push(
    nodes.map((node, index) => {
      const name = names[index] ?? ''
      return startPart(folder, name, [
        'patroni',
        writePatroniSettings(folder, name, binaries, ports.etcd, node),
      ])
    }),
  )
  start('haproxy', ['haproxy', '-db', '-f', writeHaproxySettings(folder, ports, servers, nodes)])
  const isOneReady = (path: string, count: number) => async () => {
    const found = nodes.map(({ rest }) => answers(`http://${host}:${rest}/${path}`)().catch(() => false))
    return (await Promise.all(found)).filter(Boolean).length === count
  }
  await ready('PostgreSQL', signal, isOneReady('primary', 1))
  await ready('The database', signal, () => createDatabase(ports.primary))
  await ready('The synchronous standby', signal, isOneReady('synchronous', 1))
  await ready('The asynchronous replica', signal, isOneReady('asynchronous', 1))

  const served = { port: ports.primary, database: 'poa', user: 'poa' }
  start('pgbouncer', ['pgbouncer', writePgbouncerSettings(folder, ports.pgbouncer, served)])
  const databaseUrl = `postgres://poa@${host}:${ports.pgbouncer}/poa`
  const readUrl = `postgres://poa@${host}:${ports.replica}/poa`
  await ready('PgBouncer', signal, () => succeeds(databaseUrl, 'select 1'))

  const app = `http://localhost:${ports.app}`
  const layer: Part[] = []
  layers.push(layer)
  for (const [index, port] of servers.entries()) {
    layer.push(startServer(folder, `server${index + 1}`, port, { databaseUrl, readUrl, publicUrl: app }))
    await ready(`Server ${index + 1}`, signal, answers(`http://${host}:${port}/health/ready`))
  }
  await ready('HAProxy', signal, answers(`${app}/health/ready`))
  return {
    'Page (HAProxy)': app,
    ...Object.fromEntries(servers.map((port, index) => [`Server ${index + 1}`, `http://localhost:${port}`])),
    PgBouncer: databaseUrl,
    'Primary (HAProxy)': `postgres://postgres@${host}:${ports.primary}/poa`,
    'Replicas (HAProxy)': readUrl,
    ...Object.fromEntries(
      nodes.map(({ postgres, rest }, index) => [
        `PostgreSQL ${index + 1}`,
        `${host}:${postgres}, Patroni http://${host}:${rest}/cluster`,
      ]),
    ),
    etcd,
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
