import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A private PostgreSQL server in a temporary folder, gone without a trace afterwards.

export type PostgresCluster = {
  /** Address of one of its databases. */
  url(database: string): string
  stop(): Promise<void>
}

/** Nothing here outlives the tests, so nothing waits for the disk. */
const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  autovacuum: 'off',
}

/**
 * PostgreSQL refuses to run as root. The shell stays between us and it: when its input ends, because we
 * closed it or because we died, it stops the server and removes the folder.
 */
const supervision = `
  "$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$2/initdb.log" 2>&1 \\
    || { cat "$2/initdb.log" >&2; rm -rf "$2"; exit 1; }
  bin=$1 folder=$2
  shift 2
  "$bin/postgres" -D "$folder/data" -k "$folder" "$@" &
  server=$!
  cat >/dev/null
  kill -INT $server
  wait $server
  rm -rf "$folder"
`

export async function startPostgres(binaries: string): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)

  const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const shell = ['sh', '-c', supervision, 'postgres-cluster', binaries, folder, ...options]
  const [command = 'sh', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...shell] : shell
  // In its own group, so that Ctrl+C reaches us alone and we stop it in order.
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
      // The log must be read to its end, or the server waits for us; it is kept only until the server is up.
      log = `${log}${text}`.slice(-20_000)
      if (log.includes('ready to accept connections')) resolve()
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
