import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DefaultQueryExecutor, PostgresAdapter } from 'kysely'
import { loadModule } from 'libpg-query'
import { inject } from 'vitest'
import { tablesOfAllMaps } from './map-rule.ts'
import { isDistributed, statementsOfAllMaps } from './shardings.ts'

// Records the SQL of the product in the tests on PostgreSQL. A test fails if a statement in it, or shortly before,
// is not restricted to one map.

type Statement = { key: string; sql: string; origin: string }

const root = fileURLToPath(new URL('../../', import.meta.url))
const packages = `${root}node_modules/`

/** Texts and keys. */
const onOneMap = new Set<string>()
const recorded = new Set<string>()
let unchecked: Statement[] = []

/** Characters. */
const longestStored = 5_000

/** Enough to reach the code that runs a query. */
const nearbyCalls = 15

const { compileQuery } = DefaultQueryExecutor.prototype
DefaultQueryExecutor.prototype.compileQuery = function (...query) {
  const compiled = compileQuery.apply(this, query)
  if (this.adapter instanceof PostgresAdapter) record(compiled.sql)
  return compiled
}

function record(sql: string) {
  if (onOneMap.has(sql)) return
  const key = keyOf(sql)
  if (onOneMap.has(key)) {
    if (sql.length < longestStored) onOneMap.add(sql)
    return
  }
  const origin = findOrigin()
  // Tests and migrations may read all maps.
  if (origin === null || recorded.has(`${origin} ${key}`)) return
  recorded.add(`${origin} ${key}`)
  unchecked.push({ key, sql, origin })
}

/** The same for statements that differ only in numbers, or in how many values, rows or united queries they have. */
function keyOf(sql: string): string {
  const text = sql.replace(/\d+/g, '').replace(/\$(, \$)+/g, '$$')
  return [...new Set(text.split(/\s+union all\s+|(?<=\)), (?=\()/))].join()
}

/** Returns the file and function of the product that runs a query, or null. */
function findOrigin(): string | null {
  const { prepareStackTrace, stackTraceLimit } = Error
  const trace: { stack?: NodeJS.CallSite[] } = {}
  Error.prepareStackTrace = (_error, sites) => sites
  Error.stackTraceLimit = nearbyCalls
  Error.captureStackTrace(trace, DefaultQueryExecutor.prototype.compileQuery)
  const sites = trace.stack ?? []
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  let file = ''
  for (const site of sites) {
    const path = (site.getFileName() ?? '').replace('file://', '')
    if (!path.startsWith(root) || path.startsWith(packages)) continue
    if (file === '' && !isOfProduct(path.slice(root.length))) return null
    if (file !== '' && path !== root + file) continue
    file = path.slice(root.length)
    const name = site.getFunctionName()
    if (name) return `${file} ${name}`
  }
  return file === '' ? null : `${file} callback`
}

const isOfProduct = (file: string) =>
  file.startsWith('server/') && !file.startsWith('server/database/migrations/') && !file.endsWith('.test.ts')

/** Throws for statements since the last call that are neither restricted to one map nor listed. */
export async function checkStatements() {
  if (unchecked.length === 0) return
  await loadModule()
  const statements = unchecked
  unchecked = []
  const violations = statements.flatMap(({ key, sql, origin }) => {
    const tables = tablesOfAllMaps(sql, isDistributed)
    if (tables.length === 0) {
      onOneMap.add(key)
      return []
    }
    const listed = statementsOfAllMaps[origin]
    if (listed) appendFileSync(inject('usedExceptions'), `${origin}\n`)
    const unlisted = tables.filter((table) => !listed?.tables.split(' ').includes(table))
    return unlisted.length === 0 ? [] : [`${origin}: ${unlisted.join(', ')}\n${sql}`]
  })
  if (violations.length > 0)
    throw new Error(`These statements are not restricted to one map:\n\n${violations.join('\n\n')}`)
}
