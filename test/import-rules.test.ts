import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readImports } from './circles.ts'
import { readImportRules } from './import-rules.ts'
import { projectFolder } from './processes.ts'

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
