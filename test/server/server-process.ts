import { request } from 'node:http'
import { createServer } from 'node:net'
import type { DatabaseLocation } from '#server/database/open-database.ts'
import type { TestDatabase } from '#test/databases/databases.ts'
import { type RunningProcess, startNode } from './processes.ts'

export type ServerProcess = RunningProcess & { port: number; url: string }

export function settingsOf(location: DatabaseLocation): Record<string, string> {
  return {
    DATA_DIR: location.dataDirectory,
    ...(location.databaseUrl ? { DATABASE_URL: location.databaseUrl } : {}),
  }
}

/** Runs with the given settings and no others; the process may end by itself. */
export function runServer(settings: Record<string, string>): RunningProcess {
  const { PATH = '', HOME = '' } = process.env
  return startNode('server/main.ts', [], { env: { PATH, HOME, PORT: '0', SAMPLE_DATA: 'off', ...settings } })
}

export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  const server = runServer(settings)
  const [, port] = await server.waitFor(/is ready: http:\/\/[^\s:]+:(\d+)/)
  return Object.assign(server, { port: Number(port), url: `http://127.0.0.1:${port}` })
}

/** A GET over its own connection; rejects if it is cut. */
export function getOnce(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Ends the leases of a killed server, which otherwise end by themselves after some seconds. */
export async function endLeases(database: TestDatabase): Promise<void> {
  await database.write((transaction) => transaction.updateTable('jobs').set({ locked_until: 0 }).execute())
}

export async function reservePort(): Promise<{ port: number; release(): Promise<void> }> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    release: () => new Promise((resolve) => taken.close(() => resolve())),
  }
}
