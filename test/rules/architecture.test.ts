import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'
import { lowQuery, narrowQuery, phoneQuery, stackedQuery } from '#web/ui/media-queries.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectFolder,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

describe('the source tree', () => {
  it('has no catch-all folders', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|shared|lib)\//
    expect(files.filter((file) => vague.test(file))).toEqual([])
  })

  it('has no files that only re-export', () => {
    expect(files.filter((file) => /(^|\/)index\.(ts|tsx|js|mjs)$/.test(file))).toEqual([])
  })
})

describe('the import', () => {
  it('names command-line flags only in the command line and in remedies', () => {
    const engine = files.filter((file) =>
      /^server\/imports\/(?!cli\/|import\.cli\.ts|explain-remedy\.ts|.*\.process\.ts$|.*\.test\.ts$)/.test(
        file,
      ),
    )
    expect(engine.length).toBeGreaterThan(20)
    const flags = engine.flatMap(
      (file) => readFileSync(join(projectFolder, file), 'utf8').match(/.*(--[a-z]|npm run ).*/g) ?? [],
    )
    expect(flags).toEqual([])
  })
})

describe('migrations', () => {
  /** Remove or rename columns and tables of the version before, or refuse its rows. */
  const breaks = [
    /\bdrop (column|table)\b|\brename (column|to)\b|\balter column\b/i,
    /\.(dropColumn|dropTable|renameTo|renameColumn|alterColumn)\(/,
    /\badd column (?![^`'"]*\bdefault\b)[^`'"]*\bnot null\b/i,
    /\.alterTable\([^;]*\.addColumn\((?![^;]*defaultTo)[^;]*\.notNull\(/,
  ]
  const isBreaking = (code: string) => breaks.some((pattern) => pattern.test(code))

  /** 'Contract' migrations, with the version since which no code uses what they remove. */
  const contracts: Record<string, string> = {
    '004-ranks-and-counts': 'older than the rule',
    '006-words-of-maps': 'older than the rule',
    '009-places-of-maps': 'older than the rule',
    '012-order-in-columns': 'older than the rule',
    '013-min-zoom': 'older than the rule',
  }

  it('can be applied while servers of the version before run', () => {
    const folder = 'server/database/migrations/'
    const breaking = files.filter(
      (file) => file.startsWith(folder) && isBreaking(readFileSync(join(projectFolder, file), 'utf8')),
    )
    const names = breaking.map((file) => file.slice(folder.length, -'.ts'.length))
    expect(names, 'see CONTRIBUTING: expand first, contract later').toEqual(Object.keys(contracts))
  })

  it.each([
    'sql`alter table clients drop column contact`',
    'sql`drop table feature_words`',
    'sql`alter table clients rename column contact to person`',
    'sql`alter table clients rename to associations`',
    'sql`alter table clients alter column contact set not null`',
    'sql`alter table clients add column contact text not null`',
    "schema.alterTable('clients').addColumn('contact', 'text', (column) => column.notNull()).execute()",
  ])('may not contain %s', (code) => {
    expect(isBreaking(code)).toBe(true)
  })

  it.each([
    'sql`alter table clients add column contact text`',
    "sql`alter table clients add column contact text not null default ''`",
    "schema.createTable('permits').addColumn('id', 'text', (column) => column.notNull()).execute()",
  ])('may contain %s', (code) => {
    expect(isBreaking(code)).toBe(false)
  })
})

describe('thinning', () => {
  const mayKnow =
    /^(server|domain)\/thinning\/|^server\/database\/|^server\/backup\/table-rules\.ts$|\.test\.tsx?$/

  it('its tables and columns are only used in its own folder', () => {
    const others = files.filter((path) => /^(server|domain|web)\/.*\.tsx?$/.test(path) && !mayKnow.test(path))
    expect(others.length).toBeGreaterThan(100)
    const named = /\b(feature_counts|map_extents|(type_)?min_zoom)\b/
    expect(others.filter((path) => named.test(readFileSync(join(projectFolder, path), 'utf8')))).toEqual([])
  })
})

describe('child processes and threads', () => {
  it('start only in the two server files that set their flags and environment', () => {
    const server = files.filter((path) => /^server\/.*\.ts$/.test(path) && !/\.test\.ts$/.test(path))
    const starts = /^import (?!type).*'node:child_process'|\bnew Worker\(/m
    expect(server.filter((path) => starts.test(readFileSync(join(projectFolder, path), 'utf8')))).toEqual([
      'server/processes/processes.ts',
      'server/processes/threads.ts',
    ])
  })
})

describe('forms', () => {
  it('with their own validation focus the first invalid field', () => {
    const page = files.filter((path) => /^web\/.*\.tsx$/.test(path))
    const checks = /\bnoValidate\b/
    expect(page.filter((path) => checks.test(readFileSync(join(projectFolder, path), 'utf8')))).toEqual([
      'web/ui/checked-form.tsx',
    ])
  })
})

describe('style sheets', () => {
  // Style sheets cannot share media queries.
  it('only use the media queries of the scripts', () => {
    const allowed = [phoneQuery, lowQuery, stackedQuery, narrowQuery]
    const queries = files
      .filter((path) => /^web\/.*\.css$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(projectFolder, path), 'utf8').matchAll(/@media ([^{]+?) \{/g)].map(
          ([, query = '']) => ({ path, query }),
        ),
      )
      .filter(({ query }) => /width|height/.test(query))
    expect(queries).not.toEqual([])
    expect(queries.filter(({ query }) => !allowed.includes(query))).toEqual([])
  })

  it('have sizes that follow the text size of the browser', () => {
    const pixels = files
      .filter((path) => /^web\/.*\.css$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(projectFolder, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
        return [...text.matchAll(/.*?([\d.]+)px.*/g)].map(([line, size]) => ({
          path,
          line,
          size: Number(size),
        }))
      })
    expect(pixels.length).toBeGreaterThan(50)
    // Borders and rings may be thin.
    expect(pixels.filter(({ size }) => size > 2)).toEqual([])
  })

  // Otherwise absolutely positioned content, such as text for screen readers, does not scroll and makes the page
  // longer.
  it('position scroll containers so that absolute content scrolls with them', () => {
    const scrolling = files
      .filter((path) => /^web\/.*\.css$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(projectFolder, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
        const rules = [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', style = '']) => ({
          path,
          selector: selector.trim(),
          style,
        }))
        const placed = rules.filter(({ style }) => /\bposition:/.test(style)).map(({ selector }) => selector)
        return rules
          .filter(({ style }) => /\boverflow(-y)?: (auto|scroll)/.test(style))
          .map((rule) => ({ ...rule, isPlaced: placed.some((base) => rule.selector.startsWith(base)) }))
      })
    expect(scrolling.length).toBeGreaterThan(10)
    expect(scrolling.filter(({ isPlaced }) => !isPlaced)).toEqual([])
  })
})

it('lets tests that the long run repeats take longer there', () => {
  const repeated = files.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      readFileSync(join(projectFolder, file), 'utf8').includes('#test/random/how-much.ts'),
  )
  expect(repeated.length).toBeGreaterThan(10)
  const fixed = repeated.flatMap((file) => {
    const limits = readFileSync(join(projectFolder, file), 'utf8').match(
      /^ *\}, [\d_]+\)$|it\(.*timeout: \w+ .*/gm,
    )
    return (limits ?? []).map((limit) => `${file}: ${limit.trim()}`)
  })
  expect(fixed).toEqual([])
})
