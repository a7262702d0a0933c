import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A private PostgreSQL server in a temporary folder, removed afterwards.

export type PostgresCluster = {
  url(database: string): string
  stop(): Promise<void>
}

/** Durability is not needed. */
const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  autovacuum: 'off',
}

/**
 * PostgreSQL refuses to run as root. The shell outlives this process: when its input ends, it stops the server and
 * removes the folder.
 */
const supervision = `
  bin=$1 folder=$2 primary=$3
  shift 3
  if [ -n "$primary" ]
  then "$bin/pg_basebackup" -D "$folder/data" -d "$primary" -R -c fast --no-sync >"$folder/made.log" 2>&1
  else "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$folder/made.log" 2>&1
  fi || { cat "$folder/made.log" >&2; rm -rf "$folder"; exit 1; }
  "$bin/postgres" -D "$folder/data" -k "$folder" "$@" &
  server=$!
  cat >/dev/null
  kill -INT $server
  wait $server
  rm -rf "$folder"
`

type Cluster = {
  /** The address of a server to copy and to follow. */
  replicaOf?: string
}

export async function startPostgres(
  binaries: string,
  { replicaOf = '' }: Cluster = {},
): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)

  const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const shell = ['sh', '-c', supervision, 'postgres-cluster', binaries, folder, replicaOf, ...options]
  const [command = 'sh', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...shell] : shell
  // In its own process group, so that Ctrl+C only reaches this process, which then stops the server.
  const supervisor = spawn(command, args, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
  const exited = new Promise<void>((resolve) => supervisor.once('close', () => resolve()))
  await ready(supervisor)
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      supervisor.stdin?.end()
      await exited
    },
  }
}

function ready(supervisor: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // An unread pipe would block the server.
      log = `${log}${text}`.slice(-20_000)
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
    supervisor.once('error', reject)
    supervisor.once('close', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export const templateDatabase = 'migrated'

/** Creating the extension takes longer than all migrations, so tests of migrations copy a database with PostGIS. */
export const postgisDatabase = 'with_postgis'
