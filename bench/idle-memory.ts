import { readFileSync } from 'node:fs'
import type { Row } from './row.ts'
import { withSampleServer } from './sample-server.ts'

const idleMs = 5_000

/** Resident memory of an idle server that has answered a few requests (Linux). */
export function measureMemory(): Promise<Row[]> {
  return withSampleServer(async ({ address, pid }) => {
    for (const path of [
      '/',
      '/api/clients',
      '/api/maps/pine-ridge/features',
      '/api/maps/pine-ridge/tiles/11/392/816.mvt',
    ])
      await fetch(`${address}${path}`)
    await new Promise((resolve) => setTimeout(resolve, idleMs))
    const value = Math.round(residentMegabytes(pid))
    return [{ figure: 'memory of the idle server', value, unit: 'MB', limit: 150 }]
  })
}

export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
