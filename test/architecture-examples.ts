// Files that break one rule each, and files that keep it. The names are made up; only the folders matter.

export type Example = { what: string; files: Record<string, string> }
/** `rule` is the one that must refuse; `also` names others that cannot but see the same fault. */
export type Violation = Example & { rule: string; message?: string; also?: string[] }

const imports = (...sources: string[]) =>
  sources
    .map((source, index) => `import { a as a${index} } from '${source}'\nexport const b${index} = a${index}`)
    .join('\n')

const restricted = (what: string, path: string, source: string, message: string): Violation => ({
  what,
  files: { [path]: imports(source) },
  rule: 'noRestrictedImports',
  message,
})

const domainOnly = 'domain imports nothing but itself'
const siblings = 'A subject never imports its sibling'
const noServer = 'The page never imports the server'
const noPage = 'The server never imports the page'
const noScreenInRecords = 'Records know the workspace and the details'
const mapEngine = 'Only web/map and the tools know the map engine'
const drawingEngine = 'Only web/tools/drawing/shapes knows the drawing engine'
const noScreen = 'The workspace knows no screen and no tool'
const noOtherTool = 'A tool knows the workspace: no screen, and no other tool'
const sql = 'SQL belongs into *.queries.ts'
const throughInterface = 'Thinning is asked through its interface'
const noHttp = 'Queries and commands know nothing of HTTP'
const routes = 'Only server/app.ts puts routes together'
const fixtures = 'What only tests need stays in test/'

export const violations: Violation[] = [
  restricted('a library in domain', 'domain/a/library.ts', 'fastify', domainOnly),
  restricted('Node itself in domain', 'domain/a/node.ts', 'node:fs', domainOnly),
  restricted('the server in domain', 'domain/a/server.ts', '#server/a/a.ts', domainOnly),
  restricted('the page in domain', 'domain/a/page.ts', '../../web/a/a.ts', domainOnly),

  restricted('the page in the server', 'server/a/page.ts', '#web/a/a.ts', noPage),
  restricted('the page in a query', 'server/a/page.queries.ts', '../../web/a/a.ts', noPage),
  restricted('the page in the database', 'server/database/page.ts', '#web/a/a.ts', noPage),
  restricted('the page in server/app.ts', 'server/app.ts', '../web/a/a.ts', noPage),
  restricted('a sibling in a server subject', 'server/a/sibling.ts', '../b/b.ts', siblings),
  restricted('a sibling by its alias', 'server/a/sibling-alias.ts', '#server/b/b.ts', siblings),
  restricted('a sibling in a query', 'server/a/sibling.queries.ts', '../b/b.ts', siblings),
  restricted(
    'a sibling in a folder of a server subject',
    'server/a/deep/sibling.ts',
    '../../b/b.ts',
    siblings,
  ),
  restricted('a sibling in a deep query', 'server/a/deep/sibling.queries.ts', '../../b/b.ts', siblings),
  restricted('SQL in a folder of a server subject', 'server/a/deep/sql.ts', 'kysely', sql),
  restricted('routes in a deep file', 'server/a/deep/routes.ts', '../b.routes.ts', routes),
  restricted('routes in a deep query', 'server/a/deep/routes.queries.ts', '../b.routes.ts', routes),
  restricted('the page in a deep file', 'server/a/deep/page.ts', '#web/a/a.ts', noPage),
  restricted('the page in a deep query', 'server/a/deep/page.queries.ts', '#web/a/a.ts', noPage),
  restricted('routes in other routes', 'server/a/a.routes.ts', './b.routes.ts', routes),
  restricted('routes in a query', 'server/a/routes.queries.ts', './b.routes.ts', routes),
  restricted('SQL in routes', 'server/a/sql.routes.ts', 'kysely', sql),
  ...[
    'server/a/ranks.ts',
    'server/a/ranks.queries.ts',
    'server/a/ranks.commands.ts',
    'server/tiles/ranks.ts',
  ].map((path) =>
    restricted(
      `the inside of thinning in ${path}`,
      path,
      '../thinning/keep-ranks.queries.ts',
      throughInterface,
    ),
  ),
  restricted(
    'the inside of thinning in a deep query',
    'server/a/deep/ranks.queries.ts',
    '../../thinning/keep-counts.queries.ts',
    throughInterface,
  ),
  restricted('SQL in commands', 'server/a/sql.commands.ts', 'kysely', sql),
  restricted('SQL in deep commands', 'server/a/deep/sql.commands.ts', 'kysely', sql),
  ...['routes.ts', 'commands.ts', 'ts'].map(
    (role): Violation => ({
      what: `a query in a file of the role ${role}`,
      files: { [`server/a/query.${role}`]: `export const a = (read) => read.selectFrom('a')` },
      rule: 'plugin',
      message: sql,
    }),
  ),
  restricted('HTTP in a query', 'server/a/http.queries.ts', '../http/problem.ts', noHttp),
  restricted('HTTP in a command', 'server/a/http.commands.ts', '../http/problem.ts', noHttp),
  restricted('HTTP in a deep query', 'server/a/deep/http.queries.ts', '../../http/problem.ts', noHttp),
  restricted('HTTP in a deep command', 'server/a/deep/http.commands.ts', '../../http/problem.ts', noHttp),
  restricted('a sibling in a command', 'server/a/sibling.commands.ts', '../b/b.ts', siblings),
  restricted("a sibling's command", 'server/a/foreign.commands.ts', '../b/b.commands.ts', siblings),
  restricted('routes in a command', 'server/a/routes.commands.ts', './b.routes.ts', routes),
  restricted('the page in a command', 'server/a/page.commands.ts', '#web/a/a.ts', noPage),
  restricted('SQL in server/app.ts', 'server/main.ts', 'kysely', sql),
  restricted(
    'code of today in a migration',
    'server/database/migrations/today.ts',
    '#domain/a/a.ts',
    'A migration runs no code of today',
  ),
  restricted(
    'the database as it is in a migration',
    'server/database/migrations/tables.ts',
    '../tables.ts',
    'A migration runs no code of today',
  ),
  restricted(
    'a subject in the database',
    'server/database/subject.ts',
    '../a/a.ts',
    'The database knows no subject',
  ),

  restricted('the server in a page subject', 'web/a/server.tsx', '#server/a/a.ts', noServer),
  restricted('the server in web/app', 'web/app/server.tsx', '../../server/a/a.ts', noServer),
  restricted('the server in web/map', 'web/map/server.ts', '#server/a/a.ts', noServer),
  restricted('the server in web/ui', 'web/ui/server.tsx', '#server/a/a.ts', noServer),
  restricted('the server in web/api', 'web/api/server.ts', '#server/a/a.ts', noServer),
  restricted('a sibling in a page subject', 'web/a/sibling.tsx', '../b/b.tsx', siblings),
  restricted('a sibling page subject by its alias', 'web/a/sibling-alias.tsx', '#web/b/b.tsx', siblings),
  restricted('a sibling in a folder of a page subject', 'web/a/deep/sibling.tsx', '../../b/b.tsx', siblings),
  restricted('the server in a folder of a page subject', 'web/a/deep/server.tsx', '#server/a/a.ts', noServer),
  restricted(
    'the map engine in a folder of a page subject',
    'web/a/deep/engine.tsx',
    'maplibre-gl',
    mapEngine,
  ),
  restricted('web/app in a page subject', 'web/a/app.tsx', '#web/app/router.tsx', siblings),
  restricted('a subject in web/map', 'web/map/subject.ts', '../a/a.ts', 'The map knows no subject'),
  restricted('a tool in web/map', 'web/map/tool.ts', '#web/tools/a/a.ts', 'The map knows no subject'),
  restricted('the workspace in a page subject', 'web/a/workspace.tsx', '#web/workspace/tool.ts', siblings),
  restricted('a tool in a page subject', 'web/a/tool.tsx', '#web/tools/a/a.tsx', siblings),
  restricted('a screen in the workspace', 'web/workspace/screen.tsx', '#web/app/router.tsx', noScreen),
  restricted('a tool in the workspace', 'web/workspace/tool.tsx', '#web/tools/a/a.tsx', noScreen),
  restricted('a tool in the workspace by its path', 'web/workspace/path.tsx', '../tools/a/a.tsx', noScreen),
  restricted('another subject in the workspace', 'web/workspace/subject.tsx', '#web/a/a.tsx', noScreen),
  restricted('the map engine in the workspace', 'web/workspace/engine.tsx', 'maplibre-gl', mapEngine),
  restricted('a screen in records', 'web/records/screen.tsx', '#web/app/router.tsx', noScreenInRecords),
  restricted('a tool in records', 'web/records/tool.tsx', '#web/tools/a/a.tsx', noScreenInRecords),
  restricted('another subject in records', 'web/records/subject.tsx', '#web/a/a.tsx', noScreenInRecords),
  restricted('the map engine in records', 'web/records/engine.tsx', 'maplibre-gl', mapEngine),
  restricted('the server in records', 'web/records/server.tsx', '#server/a/a.ts', noServer),
  restricted('another tool in a tool', 'web/tools/a/tool.tsx', '../b/b.tsx', noOtherTool),
  restricted('another tool by its alias', 'web/tools/a/alias.tsx', '#web/tools/b/b.tsx', noOtherTool),
  restricted('another tool in a folder of a tool', 'web/tools/a/deep/tool.tsx', '../../b/b.tsx', noOtherTool),
  restricted('a screen in a tool', 'web/tools/a/screen.tsx', '#web/app/router.tsx', noOtherTool),
  restricted('a page subject in a tool', 'web/tools/a/subject.tsx', '#web/a/a.tsx', noOtherTool),
  restricted('the server in a tool', 'web/tools/a/server.tsx', '#server/a/a.ts', noServer),
  restricted('the server in the workspace', 'web/workspace/server.tsx', '#server/a/a.ts', noServer),
  restricted('the drawing engine in web/map', 'web/map/drawing.ts', 'terra-draw', drawingEngine),
  restricted('the drawing engine in a tool', 'web/tools/a/engine.tsx', 'terra-draw', drawingEngine),
  restricted(
    'the drawing engine where drawings are saved',
    'web/tools/drawing/saving/engine.ts',
    'terra-draw-maplibre-gl-adapter',
    drawingEngine,
  ),
  restricted(
    'saving in what draws shapes',
    'web/tools/drawing/shapes/saving.ts',
    '../saving/a.ts',
    'Drawing shapes knows nothing of where they are saved',
  ),
  restricted(
    'the server in what draws shapes',
    'web/tools/drawing/shapes/asks.ts',
    '#web/api/a.ts',
    'Drawing shapes knows nothing of where they are saved',
  ),
  restricted('a subject in web/ui', 'web/ui/subject.tsx', '#web/a/a.ts', 'know no subject'),
  restricted('a subject in web/api', 'web/api/subject.ts', '../a/a.ts', 'The API client knows no subject'),
  ...['maplibre-gl', '@vis.gl/react-maplibre', 'terra-draw', 'terra-draw-maplibre-gl-adapter'].map(
    (library) =>
      restricted(
        `${library} in a page subject`,
        `web/a/${library.replaceAll(/\W+/g, '-').replace(/^-/, '')}.tsx`,
        library,
        mapEngine,
      ),
  ),
  restricted('the map engine in web/app', 'web/app/engine.tsx', 'maplibre-gl', mapEngine),
  restricted('the map engine in web/ui', 'web/ui/engine.tsx', 'maplibre-gl', mapEngine),
  restricted('the map engine in web/api', 'web/api/engine.ts', 'maplibre-gl', mapEngine),
  ...[
    'server/fixture.ts',
    'server/a/fixture.ts',
    'server/a/deep/fixture.ts',
    'server/a/fixture.queries.ts',
    'server/a/deep/fixture.queries.ts',
    'server/database/fixture.ts',
    'web/fixture.tsx',
    'web/app/fixture.tsx',
    'web/a/fixture.tsx',
    'web/a/deep/fixture.tsx',
    'web/map/fixture.ts',
    'web/ui/fixture.tsx',
    'web/api/fixture.ts',
  ].map((path) => restricted(`what tests need in ${path}`, path, '#test/a.ts', fixtures)),
  ...(['Modal', 'Drawer'] as const).flatMap((name) =>
    [
      'web/app',
      'web/app/deep',
      'web/a',
      'web/a/deep',
      'web/map',
      'web/workspace',
      'web/records',
      'web/tools/a',
    ].map(
      (folder): Violation => ({
        what: `the library's ${name} in ${folder}`,
        files: {
          [`${folder}/own-${name.toLowerCase()}.tsx`]: `import { ${name} } from '@mantine/core'\nexport const a = ${name}`,
        },
        rule: 'noRestrictedImports',
        message: 'Dialogs are those of web/ui/dialog.tsx',
      }),
    ),
  ),
  {
    what: 'fetch outside web/api',
    files: { 'web/a/fetches.ts': `export const a = () => fetch('/api')` },
    rule: 'noRestrictedGlobals',
  },
  {
    what: 'live updates outside web/api',
    files: { 'web/app/listens.ts': `export const a = () => new EventSource('/api')` },
    rule: 'noRestrictedGlobals',
  },
  {
    what: 'Node in the page',
    files: { 'web/a/node.ts': `import { readFileSync } from 'node:fs'\nexport const a = readFileSync` },
    rule: 'noNodejsModules',
  },
  {
    what: 'the environment outside the configuration',
    files: { 'server/a/environment.ts': 'export const a = process.env.PORT' },
    rule: 'noProcessEnv',
  },
  {
    what: 'a circle of imports',
    files: {
      'domain/a/round.ts': `import { b } from './and-round.ts'\nexport const a = () => b`,
      'domain/a/and-round.ts': `import { a } from '#domain/a/round.ts'\nexport const b = () => a`,
    },
    rule: 'noImportCycles',
  },
  {
    what: 'a file that only passes on what others export',
    files: { 'web/a/barrel.ts': `export { a } from './a.ts'` },
    rule: 'noBarrelFile',
  },
  {
    what: 'a default export',
    files: { 'web/a/default.tsx': 'export default function () {\n  return null\n}' },
    rule: 'noDefaultExport',
  },
  {
    what: 'a file name that is not in kebab case',
    files: { 'web/a/CamelCase.tsx': 'export const a = 1' },
    rule: 'useFilenamingConvention',
  },
]

const keeps = (what: string, path: string, ...sources: string[]): Example => ({
  what,
  files: { [path]: imports(...sources) },
})

export const allowed: Example[] = [
  keeps(
    'zod and domain in domain',
    'domain/a/kept.ts',
    'zod',
    'robust-predicates',
    './a.ts',
    '../b/b.ts',
    '#domain/c/c.ts',
  ),
  keeps('domain in the server', 'server/a/kept.ts', '#domain/a/a.ts', './a.ts', '../configuration.ts'),
  keeps(
    'what all subjects of the server share',
    'server/a/shared.ts',
    '../database/a.ts',
    '../http/a.ts',
    '../geometry/a.ts',
  ),
  keeps("a sibling's queries", 'server/a/kept.routes.ts', '../b/b.queries.ts', './a.queries.ts'),
  keeps(
    'folders of one server subject',
    'server/a/deep/kept.ts',
    '../b/b.ts',
    '../a.ts',
    '../../database/a.ts',
  ),
  keeps('folders of one page subject', 'web/a/deep/kept.tsx', '../b/b.tsx', '../a.ts', '../../ui/a.tsx'),
  keeps('SQL in queries', 'server/a/kept.queries.ts', 'kysely', '../database/a.ts', '../b/b.queries.ts'),
  {
    what: 'a query in queries and in the database',
    files: {
      'server/a/query.queries.ts': `export const a = (read) => read.selectFrom('a')`,
      'server/database/query.ts': `export const a = (read) => read.selectFrom('a')`,
    },
  },
  keeps(
    'the interface of thinning',
    'server/a/thinned.queries.ts',
    '../thinning/write-features.queries.ts',
    '../thinning/read-totals.queries.ts',
  ),
  keeps(
    'what tiles draw',
    'server/tiles/kept.ts',
    '../thinning/filter.ts',
    '../thinning/read-tile.queries.ts',
  ),
  keeps("a sibling's queries in a command", 'server/a/kept.commands.ts', '../b/b.queries.ts', '../errors.ts'),
  keeps('SQL in the database', 'server/database/kept.ts', 'kysely', './a.ts'),
  keeps(
    'tables in a migration',
    'server/database/migrations/kept.ts',
    'kysely',
    '../database.ts',
    './kept-too.ts',
  ),
  keeps('routes in server/app.ts', 'server/kept.ts', './a/a.routes.ts', './b/b.routes.ts'),
  keeps(
    'what all subjects of the page share',
    'web/a/kept.tsx',
    '#domain/a/a.ts',
    './a.tsx',
    '../ui/a.tsx',
    '#web/api/a.ts',
    '../map/a.ts',
  ),
  keeps(
    'what a workspace is made of',
    'web/workspace/kept.tsx',
    './tool.ts',
    '#web/map/a.ts',
    '#web/api/a.ts',
    '#web/ui/a.tsx',
    '#web/features/a.tsx',
  ),
  keeps(
    'what records are made of',
    'web/records/kept.tsx',
    './a.tsx',
    '#web/api/a.ts',
    '#web/ui/a.tsx',
    '#web/features/a.tsx',
    '#web/workspace/a.tsx',
  ),
  keeps(
    'what a tool is made of',
    'web/tools/a/kept.tsx',
    './a.ts',
    './deep/a.ts',
    'maplibre-gl',
    '@vis.gl/react-maplibre',
    '#web/workspace/tool.ts',
    '#web/map/a.ts',
    '#web/api/a.ts',
  ),
  keeps('folders of one tool', 'web/tools/a/deep/kept.tsx', '../a.ts', '../other/a.ts', '#web/ui/a.tsx'),
  keeps(
    'the drawing engine where shapes are drawn',
    'web/tools/drawing/shapes/kept.ts',
    'terra-draw',
    'terra-draw-maplibre-gl-adapter',
    '#web/workspace/tool.ts',
    '#web/map/a.ts',
  ),
  keeps('tools in web/app', 'web/app/tools.tsx', '../tools/a/a.tsx', '#web/workspace/a.tsx'),
  keeps('subjects in web/app', 'web/app/kept.tsx', '../a/a.tsx', '#web/b/b.tsx', '../map/a.ts'),
  keeps(
    'the map engine in web/map',
    'web/map/kept.ts',
    'maplibre-gl',
    '@vis.gl/react-maplibre',
    '../api/a.ts',
  ),
  {
    what: 'the rest of the library',
    files: { 'web/a/button.tsx': `import { Button } from '@mantine/core'\nexport const a = Button` },
  },
  {
    what: "the library's Modal in web/ui",
    files: { 'web/ui/kept-dialog.tsx': `import { Modal } from '@mantine/core'\nexport const a = Modal` },
  },
  keeps('what tests need in a test', 'server/a/kept-fixture.test.ts', '#test/a.ts'),
  { what: 'fetch in web/api', files: { 'web/api/kept.ts': `export const a = () => fetch('/api')` } },
  { what: 'the environment in a command', files: { 'server/a/kept.cli.ts': 'export const a = process.env' } },
  { what: 'the environment in a test', files: { 'server/a/kept.test.ts': 'export const a = process.env' } },
  {
    what: 'a circle of types alone',
    files: {
      'domain/a/types.ts': `import type { B } from './more-types.ts'\nexport type A = { b?: B }`,
      'domain/a/more-types.ts': `import type { A } from './types.ts'\nexport type B = { a?: A }`,
    },
  },
]
