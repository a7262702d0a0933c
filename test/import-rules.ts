import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `*` matches part of a name; a trailing '/' matches a folder or the name of a package. */
type Pattern = { text: string; regex: RegExp }
type Row = { files: Pattern[]; allowed: Pattern[]; refused: Pattern[] }

export type ImportRules = (file: string, target: string) => boolean

export function readImportRules(root: string): ImportRules {
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

const readPatterns = (cell: string): Pattern[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => {
    const source = text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]+')
    return {
      text,
      regex: new RegExp(`${text.startsWith('*') ? '' : '^'}${source}${text.endsWith('/') ? '' : '$'}`),
    }
  })

const matches = (patterns: readonly Pattern[], path: string) => patterns.some(({ regex }) => regex.test(path))
