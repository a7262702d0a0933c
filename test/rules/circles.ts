import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The files (paths) and packages (names) that each file imports, including type imports. */
export type Imports = ReadonlyMap<string, readonly string[]>

const codeFile = /\.tsx?$/
const notProduction = /\.(test|spec)\.tsx?$|\.d\.ts$/
const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'([^'\s]+)'/g

export function readImports(root: string, folders: readonly string[], packages = false): Imports {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path).split(sep).join('/'))
      .filter((path) => codeFile.test(path) && !notProduction.test(path)),
  )
  return new Map(
    files.map((file) => {
      const code = readFileSync(join(root, file), 'utf8')
      const named = [...code.matchAll(specifiers)].flatMap(([, specifier]) => specifier ?? [])
      const targets = named.flatMap((specifier) => {
        if (packages && !/^[#./]/.test(specifier))
          return specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/')
        return resolveImport(root, file, specifier) ?? []
      })
      return [file, [...new Set(targets)]]
    }),
  )
}

function resolveImport(root: string, file: string, specifier: string): string | undefined {
  const path = specifier.startsWith('#')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? relative(root, join(root, dirname(file), specifier))
          .split(sep)
          .join('/')
      : undefined
  if (path === undefined || !codeFile.test(path)) return undefined
  if (!existsSync(join(root, path)) || !statSync(join(root, path)).isFile())
    throw new Error(`${file} imports ${specifier}, which is not there.`)
  return path
}

/** Returns the strongly connected components with more than one file or folder. */
export function findCircles(imports: Imports): string[][] {
  const circles: string[][] = []
  const numbers = new Map<string, { number: number; lowest: number; isOpen: boolean }>()
  const open: string[] = []
  const visit = (name: string) => {
    const own = { number: numbers.size, lowest: numbers.size, isOpen: true }
    numbers.set(name, own)
    open.push(name)
    for (const target of imports.get(name) ?? []) {
      const seen = numbers.get(target) ?? visit(target)
      if (seen.isOpen) own.lowest = Math.min(own.lowest, seen.lowest)
    }
    if (own.lowest === own.number) {
      const circle = open.splice(open.indexOf(name))
      for (const member of circle) (numbers.get(member) as typeof own).isOpen = false
      if (circle.length > 1 || imports.get(name)?.includes(name)) circles.push(circle.sort())
    }
    return own
  }
  for (const name of imports.keys()) if (!numbers.has(name)) visit(name)
  return circles
}

/**
 * The imports between the folders of a tier, such as `server/clients`. Skips files directly in the tier and commands.
 */
export function importsOfFolders(imports: Imports): Imports {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const folder = folderOf(file)
    const needed = folders.get(folder) ?? new Set()
    folders.set(folder, needed)
    for (const target of targets) if (folderOf(target) !== folder) needed.add(folderOf(target))
  }
  return new Map([...folders].map(([folder, needed]) => [folder, [...needed]]))
}

function folderOf(file: string): string {
  return file.endsWith('.cli.ts') ? file : file.split('/').slice(0, 2).join('/')
}
