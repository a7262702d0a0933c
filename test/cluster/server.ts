import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from '#test/server/processes.ts'
import { host, type Part, partOf, tied } from './parts.ts'

type ServerOptions = {
  port: number
  settings: Record<string, string>
  /** Folder of the version to run. Called at each start. */
  project(): string
}

/** A server of this product. */
export function startServer(folder: string, name: string, { port, settings, project }: ServerOptions): Part {
  const data = join(folder, name)
  mkdirSync(data, { recursive: true })
  const [program = '', ...args] = [...tied, '--', process.execPath, 'server/main.ts']
  return partOf(join(folder, `${name}.log`), (stdio) =>
    startProcess(program, args, {
      stdio,
      cwd: project(),
      env: {
        ...process.env,
        DATA_DIR: data,
        PORT: String(port),
        HOST: host,
        TILE_WORKERS: '1',
        // HAProxy is not named as a proxy, because the demo sign-in refuses proxies: all visitors have its address.
        RATE_LIMIT_PER_MINUTE: '100000',
        MAX_CONNECTIONS_PER_ADDRESS: '4000',
        MAX_EVENT_STREAMS_PER_ADDRESS: '2000',
        // HAProxy needs two checks.
        STOP_DELAY_SECONDS: '4',
        ...settings,
      },
    }),
  )
}
