import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { freePort, projectFolder, type RunningProcess, startProcess } from '#test/server/processes.ts'
import type { TileServiceName } from './stub-tiles.ts'

/** A server process on a free port with its own data. */
export type ServedProject = {
  url: string
  dataDirectory: string
  /** A second connection, so that changes come from another process. */
  database: Database
  /** `start` restarts on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type ServeOptions = {
  tileAddress(service: TileServiceName): string
  hasSampleData?: boolean
  settings?: Record<string, string>
  /** Defaults to the command of `npm start`. */
  command?: readonly [string, ...string[]]
  port?: number
}

export async function serveProject({
  tileAddress,
  hasSampleData = false,
  settings = {},
  command = [process.execPath, 'scripts/start.mjs'],
  port,
}: ServeOptions): Promise<ServedProject> {
  if (!existsSync(join(projectFolder, 'dist/web/index.html')))
    throw new Error('There is no page in dist/web: build it first, npm run build')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'poa-e2e-'))
  const ownPort = port ?? (await freePort())
  const url = `http://127.0.0.1:${ownPort}`
  let running: RunningProcess | undefined

  async function start() {
    const [program, ...args] = command
    running = startProcess(program, args, {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDirectory,
        PORT: String(ownPort),
        PUBLIC_URL: url,
        SAMPLE_DATA: hasSampleData ? 'on' : 'off',
        TILE_WORKERS: '1',
        // Automated browsers send more requests than people.
        RATE_LIMIT_PER_MINUTE: '1000000',
        REPORT_LIMITS: 'off',
        // They fill forms faster, too, and compute slower, as they run without optimization.
        REPORT_MIN_TIME: 'off',
        REPORT_PROOF_OF_WORK: 'off',
        // Webhook tests receive on this machine.
        WEBHOOK_INSIDE: '127.0.0.1',
        BASE_MAP_STREET_URL: tileAddress('street'),
        BASE_MAP_SATELLITE_URL: tileAddress('satellite'),
        BASE_MAP_TERRAIN_URL: tileAddress('terrain'),
        BASE_MAP_LABELS_URL: tileAddress('labels'),
        ...settings,
      },
    })
    await running.waitFor(/is ready: /)
  }
  async function stop() {
    await running?.stop()
  }

  await start()
  const database = await openDatabase({ dataDirectory, databaseUrl: settings.DATABASE_URL })
  return {
    url,
    dataDirectory,
    database,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await database.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
