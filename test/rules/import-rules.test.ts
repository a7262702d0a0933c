import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'
import { readImports } from './circles.ts'

const mayImport = readImportRules(projectFolder)
const imports = readImports(projectFolder, ['domain', 'server', 'web'], true)

describe('the table of imports in CONTRIBUTING.md', () => {
  it('holds for every import', () => {
    const refused = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => !mayImport(file, target)).map((target) => `${file} imports ${target}`),
    )
    expect(refused).toEqual([])
  })

  it('allows dialogs only in web/ui/dialog.tsx', () => {
    const importsModal = /import \{[^}]*\b(Modal|Drawer)\b[^}]*\} from '@mantine\/core'/
    const files = [...imports.keys()].filter((file) => file.startsWith('web/'))
    expect(
      files.filter((file) => importsModal.test(readFileSync(join(projectFolder, file), 'utf8'))),
    ).toEqual(['web/ui/dialog.tsx'])
  })

  it.each([
    ['domain/a/a.ts', 'domain/b/b.ts', 'zod', 'pbf'],
    ['server/app.ts', 'server/a/a.routes.ts', 'fastify'],
    ['server/a/a.ts', 'domain/b/b.ts', 'server/a/deep/a.ts', 'server/b/b.queries.ts', 'server/database/b.ts'],
    ['server/a/a.routes.ts', 'server/http/b.ts', 'server/thinning/read-totals.queries.ts'],
    ['server/a/a.queries.ts', 'kysely'],
    ['web/app/a/a.tsx', 'web/records/b.tsx', 'react'],
    ['web/tools/a/a.tsx', 'web/workspace/b.ts', 'maplibre-gl'],
    ['web/tools/drawing/shapes/a.tsx', 'terra-draw'],
  ])('allows %s to import %s', (file, ...targets) => {
    expect(targets.filter((target) => !mayImport(file, target))).toEqual([])
  })

  it.each([
    ['domain/a/a.ts', 'server/a/a.ts', 'web/a/a.ts', 'fastify', 'node:fs'],
    ['server/app.ts', 'web/a/a.ts', 'kysely', 'test/a.ts'],
    [
      'server/a/a.ts',
      'server/b/b.ts',
      'server/thinning/filter.queries.ts',
      'web/a/a.ts',
      'kysely',
      'test/a.ts',
    ],
    ['server/a/a.routes.ts', 'server/b/b.routes.ts', 'kysely'],
    ['server/a/deep/a.queries.ts', 'server/b/b.ts', 'server/http/b.ts', 'server/b/b.routes.ts'],
    ['server/a/a.commands.ts', 'server/http/b.ts', 'kysely'],
    ['server/database/a.ts', 'server/a/a.ts', 'web/a/a.ts'],
    ['server/database/migrations/001-a.ts', 'server/database/a.ts', 'domain/a/a.ts'],
    ['web/app/a.tsx', 'maplibre-gl', 'terra-draw', 'server/a/a.ts'],
    ['web/a/a.tsx', 'web/b/b.tsx', 'web/app/a.tsx', 'maplibre-gl', '@vis.gl/react-maplibre'],
    ['web/ui/a.tsx', 'web/api/a.ts', 'web/a/a.tsx'],
    ['web/api/a.ts', 'web/ui/a.tsx'],
    ['web/map/a.tsx', 'web/features/a.tsx', 'terra-draw'],
    ['web/workspace/a.tsx', 'web/app/a.tsx', 'web/tools/a/a.tsx', 'web/records/a.tsx'],
    ['web/records/a.tsx', 'web/app/a.tsx', 'web/tools/a/a.tsx', 'maplibre-gl'],
    ['web/tools/a/a.tsx', 'web/tools/b/b.tsx', 'web/app/a.tsx', 'terra-draw'],
    ['web/tools/drawing/shapes/a.tsx', 'web/api/a.ts', 'web/tools/drawing/saving/a.ts'],
  ])('refuses %s to import %s', (file, ...targets) => {
    expect(targets.filter((target) => mayImport(file, target))).toEqual([])
  })
})

/** `*` matches part of a name; a trailing '/' matches a folder or the name of a package. */
type Pattern = { text: string; regex: RegExp }
type Row = { files: Pattern[]; allowed: Pattern[]; refused: Pattern[] }

type ImportRules = (file: string, target: string) => boolean

function readImportRules(root: string): ImportRules {
  const document = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const table = /^\| files \| may import \| but not \|\n.*\n((?:\|.*\n)+)/m.exec(document)?.[1] ?? ''
  const rows = table.trim().split('\n').map(readRow)
  const isRestricted = (name: string) =>
    rows.some(({ files, allowed }) => files[0]?.text !== 'domain/' && matches(allowed, name))
  return (file, target) => {
    const fitting = rows.filter(({ files }) => matches(files, file))
    const { files = [], allowed = [] } = fitting.findLast((row) => row.allowed.length > 0) ?? {}
    const ownFolder = files.map(({ regex }) => regex.exec(file)?.[0]).find((start) => start?.endsWith('/'))
    if (ownFolder !== undefined && target.startsWith(ownFolder)) return true
    if (allowed.some(({ text }) => text === target)) return true
    if (target === 'kysely' && file.endsWith('.queries.ts')) return true
    if (target.endsWith('.routes.ts') && file !== 'server/app.ts') return false
    if (fitting.some(({ refused }) => matches(refused, target))) return false
    if (matches(allowed, target)) return true
    const isPackage = !/^(domain|server|web|test)\//.test(target)
    return isPackage && !file.startsWith('domain/') && !isRestricted(target)
  }
}

function readRow(line: string): Row {
  const [files, allowed, refused] = line.split('|').slice(1, 4).map(readPatterns)
  if (!files?.length || !allowed || !refused) throw new Error(`Not a row of import rules: ${line}`)
  return { files, allowed, refused }
}

function readPatterns(cell: string): Pattern[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => {
    const source = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]+')
    return {
      text,
      regex: new RegExp(`${text.startsWith('*') ? '' : '^'}${source}${text.endsWith('/') ? '' : '$'}`),
    }
  })
}

function matches(patterns: readonly Pattern[], path: string) {
  return patterns.some(({ regex }) => regex.test(path))
}
