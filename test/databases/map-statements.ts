import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
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
const onOneMap = new Set<string>()
const recorded = new Set<string>()
let unchecked: Statement[] = []

const { compileQuery } = DefaultQueryExecutor.prototype
DefaultQueryExecutor.prototype.compileQuery = function (...query) {
  const compiled = compileQuery.apply(this, query)
  if (this.adapter instanceof PostgresAdapter) record(compiled.sql)
  return compiled
}

function record(sql: string) {
  // Statements that differ only in numbers, and in how many values a list has, are the same.
  const key = sql.replace(/\d+/g, '').replace(/(\(?\$\)?)(, \1)+/g, '$1')
  if (onOneMap.has(key)) return
  const origin = findOrigin()
  // Tests and migrations may read all maps.
  if (origin === null || recorded.has(`${origin} ${key}`)) return
  recorded.add(`${origin} ${key}`)
  unchecked.push({ key, sql, origin })
}

/** Returns the file and function of the product that runs a query, or null. */
function findOrigin(): string | null {
  const { prepareStackTrace } = Error
  const trace: { stack?: NodeJS.CallSite[] } = {}
  Error.prepareStackTrace = (_error, sites) => sites
  Error.captureStackTrace(trace, DefaultQueryExecutor.prototype.compileQuery)
  const sites = trace.stack ?? []
  Error.prepareStackTrace = prepareStackTrace
  const frames = sites.map((site) => ({
    file: relative(root, (site.getFileName() ?? '').replace(/^file:\/\//, '')),
    name: site.getFunctionName(),
  }))
  const first = frames.find(({ file }) => /^(server|domain|test|bench)\//.test(file))
  if (!first || !/^server\/(?!database\/migrations\/).*(?<!\.test)\.ts$/.test(first.file)) return null
  const named = frames.find(({ file, name }) => file === first.file && name)
  return `${first.file} ${named?.name ?? 'callback'}`
}

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
