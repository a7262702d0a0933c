import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '#test/server/processes.ts'
import { median, type Row } from './row.ts'

const runs = 5

/** `npm start` on a complete installation, until it is ready. */
export async function measureSecondStart(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  const times: number[] = []
  for (let run = 0; run <= runs; run++) {
    const begin = performance.now()
    const server = startProcess('npm', ['start'], { env: { ...process.env, PORT: '0', DATA_DIR: folder } })
    await server.waitFor(/ready: http/)
    if (run > 0) times.push(performance.now() - begin)
    await server.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  return [{ figure: 'second npm start, median', value: Math.round(median(times)), unit: 'ms', limit: 400 }]
}
