import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureClients } from './clients.ts'
import { measureFeatureTable } from './feature-table.ts'
import { measureFirstFrame } from './first-frame.ts'
import { measureMemory } from './idle-memory.ts'
import { measurePageWeight } from './page-weight.ts'
import type { Row } from './row.ts'
import { measureSecondStart } from './second-start.ts'

// npm run bench: every figure in one run, as a table and as JSON in bench/results/.

const measurements = [
  measurePageWeight,
  measureSecondStart,
  measureMemory,
  measureFirstFrame,
  measureClients,
  measureFeatureTable,
]

const rows: Row[] = []
for (const measure of measurements) rows.push(...(await measure()))

console.log('')
console.table(
  rows.map(({ figure, value, unit, limit }) => ({
    figure,
    value: `${value} ${unit}`,
    limit: limit === undefined ? '' : `${limit} ${unit}`,
    holds: limit === undefined ? '' : value <= limit ? 'yes' : 'NO',
  })),
)
const folder = join(import.meta.dirname, 'results')
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'latest.json'),
  `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`,
)
process.exitCode = rows.some(({ value, limit }) => limit !== undefined && value > limit) ? 1 : 0
