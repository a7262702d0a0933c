import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './commands.ts'

/** Runs `work` with a restarted server on existing sample data, without a base map. */
export async function withSampleServer<Result>(
  work: (server: { address: string; pid: number }) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  const env = { ...process.env, PORT: '0', DATA_DIR: folder, BASE_MAP_STREET_URL: 'off' }
  const start = () => startProgram(env)
  const first = start()
  await first.waitFor(/ready: http/)
  await first.stop()
  const server = start()
  try {
    const [, address = ''] = await server.waitFor(/ready: (http\S+)/)
    return await work({ address, pid: server.pid })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
