import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from '#test/server/processes.ts'
import type { Part } from './parts.ts'

type Urls = { databaseUrl: string; readUrl: string; publicUrl: string }

/** A server of this product. All share a folder for photos and documents. */
export function startServer(folder: string, name: string, port: number, urls: Urls): Part {
  const data = join(folder, 'files')
  mkdirSync(data, { recursive: true })
  const log = openSync(join(folder, `${name}.log`), 'a')
  const server = startProcess(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      DATABASE_URL: urls.databaseUrl,
      DATABASE_READ_URL: urls.readUrl,
      DATA_DIR: data,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: urls.publicUrl,
      TILE_WORKERS: '1',
      // HAProxy is not named as a proxy, because the demo sign-in refuses proxies: all visitors have its address.
      RATE_LIMIT_PER_MINUTE: '100000',
      MAX_CONNECTIONS_PER_ADDRESS: '4000',
      MAX_EVENT_STREAMS_PER_ADDRESS: '2000',
      STOP_DELAY_SECONDS: '4',
    },
  })
  return { stop: () => server.stop() }
}
