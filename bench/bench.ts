import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { buildPage } from '../scripts/build.mjs'
import { discardFilledDatabases } from './filled-database.ts'
import { type Measurement, selectMeasurements } from './measurements.ts'
import { judge, type Row } from './row.ts'
import { countText, isScaled, judgedAtStatedCount, largeCount } from './scale.ts'

// npm run bench [-- NAME...]: prints a table, and writes JSON to bench/results/.

const measurements = selectMeasurements(process.argv.slice(2))
if (!(await buildPage())) process.exit(1)
const loadBefore = loadavg()[0] as number

const rows: Row[] = []
for (const measurement of measurements) rows.push(...(await measure(measurement)))
await discardFilledDatabases()

const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, load ${loadBefore.toFixed(1)} before`
console.log('')
console.log(machine)
if (isScaled) console.log(`With ${countText(largeCount)} features; the limits are not meant for that many.`)
console.table(
  rows.map((row) => ({
    figure: row.figure,
    value: row.value === undefined ? '' : `${row.value} ${row.unit}`,
    limit: limitText(row),
    holds: judge(row),
  })),
)
for (const { figure, note } of rows) if (note) console.log(`${figure.trim()}: ${note}`)
write()
process.exitCode = rows.some((row) => judge(row) === 'NO' || (row.failed && !row.isPeer)) ? 1 : 0

async function measure({ name, measure, isOfMany }: Measurement): Promise<Row[]> {
  const start = performance.now()
  console.log(`${name} ...`)
  try {
    const measured = await measure()
    const judged = isOfMany ? judgedAtStatedCount(measured) : measured
    for (const row of judged) {
      const note = row.note ? ` (${row.note})` : ''
      console.log(`  ${row.figure.trim()}: ${row.value ?? ''} ${row.unit} ${judge(row)}${note}`)
    }
    return judged
  } catch (error) {
    console.error(error)
    return [{ figure: name, unit: '', failed: (error as Error).message.split('\n')[0] as string }]
  } finally {
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
}

function limitText({ limit, atLeast, unit }: Row): string {
  if (limit !== undefined) return `at most ${limit} ${unit}`
  return atLeast === undefined ? '' : `at least ${atLeast} ${unit}`
}

function write() {
  const folder = join(import.meta.dirname, 'results')
  const judged = rows.map((row) => ({ ...row, holds: judge(row) }))
  const result = { at: new Date().toISOString(), machine, features: largeCount, rows: judged }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`)
}
