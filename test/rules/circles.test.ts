import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'
import { findCircles, importsOfFolders, readImports } from './circles.ts'

const tiers = ['server', 'domain', 'web']

describe('import cycles of the source tree', () => {
  it.each(tiers)('none between files in %s', (tier) => {
    const imports = readImports(projectFolder, [tier])
    expect(imports.size).toBeGreaterThan(10)
    expect(findCircles(imports)).toEqual([])
  })

  it.each(tiers)('none between folders in %s', (tier) => {
    expect(findCircles(importsOfFolders(readImports(projectFolder, [tier])))).toEqual([])
  })
})

describe('findCircles', () => {
  const root = mkdtempSync(join(tmpdir(), 'poa-circles-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const circlesOf = (files: Record<string, string>) => {
    const folder = mkdtempSync(join(root, 'tree-'))
    for (const [path, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    const imports = readImports(folder, ['server'])
    return { ofFiles: findCircles(imports), ofFolders: findCircles(importsOfFolders(imports)) }
  }

  it('finds a cycle of type imports', () => {
    const { ofFiles } = circlesOf({
      'server/a/a.ts': `import type { B } from './b.ts'\nexport type A = B`,
      'server/a/b.ts': `import {\n  type A,\n} from '#server/a/a.ts'\nexport type B = A`,
    })
    expect(ofFiles).toEqual([['server/a/a.ts', 'server/a/b.ts']])
  })

  it('finds a cycle over a dynamic import', () => {
    const { ofFiles } = circlesOf({
      'server/a/a.ts': `export const a = () => import('./b.ts')`,
      'server/a/b.ts': `export { a } from './c.ts'`,
      'server/a/c.ts': `import './a.ts'`,
    })
    expect(ofFiles).toEqual([['server/a/a.ts', 'server/a/b.ts', 'server/a/c.ts']])
  })

  it('finds a cycle of folders without a cycle of files', () => {
    const { ofFiles, ofFolders } = circlesOf({
      'server/a/a.ts': `import { b } from '../b/b.ts'\nexport const a = b`,
      'server/b/b.ts': `export const b = 1`,
      'server/b/other.ts': `import type { A } from '../a/types.ts'\nexport type B = A`,
      'server/a/types.ts': `export type A = 1`,
    })
    expect(ofFiles).toEqual([])
    expect(ofFolders).toEqual([['server/a', 'server/b']])
  })

  it('skips files that only import a cycle', () => {
    const { ofFiles, ofFolders } = circlesOf({
      'server/a/a.cli.ts': `import { b } from '../b/b.ts'\nexport const a = b`,
      'server/a/types.ts': `export type A = 1`,
      'server/b/b.ts': `import type { A } from '../a/types.ts'\nexport const b: A = 1`,
    })
    expect(ofFiles).toEqual([])
    expect(ofFolders).toEqual([])
  })
})
