import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfiguration, settingsSchema } from '#server/settings/configuration.ts'
import { isLoopbackHost } from '#server/settings/host-names.ts'
import { projectFolder } from '#test/server/processes.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectFolder,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // A deleted file stays listed until the next commit.
  .filter((path) => existsSync(join(projectFolder, path)))
const documents = files.filter((path) => path.endsWith('.md'))

describe('docs/configuration.md', () => {
  const rows = tableRows(read('docs/configuration.md')).filter(([name = '']) => /^`[A-Z_]+`$/.test(name))
  const documented = new Map(rows.map(([name = '', ...cells]) => [name.slice(1, -1), cells]))
  const defaults: Record<string, unknown> = settingsSchema.parse({})
  const settings = Object.keys(settingsSchema.shape)

  it('describes every setting once and no others', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(settings.map((name) => `\`${name}\``).sort())
  })

  it.each(settings)('names the default of %s', (name) => {
    const [shown = ''] = documented.get(name) ?? []
    const shownDefault = shown.match(/^`(.+)`$/)?.[1]
    expect(shown).not.toBe('')
    expect(shownDefault).toBe(defaults[name] === undefined ? undefined : String(defaults[name]))
  })

  it.each(settings)('describes %s with a valid example', (name) => {
    const [, meaning, example = ''] = documented.get(name) ?? []
    expect(meaning).not.toBe('')
    expect(example).toMatch(/^`.+`$/)
    expect(settingsSchema.safeParse({ [name]: example.slice(1, -1) }).error).toBeUndefined()
  })
})

describe('the first examples of docs/configuration.md', () => {
  const blocks = [...read('docs/configuration.md').matchAll(/^```\n([^`]*\bnpm start)\n```$/gm)]
  const examples = blocks.map(([, block = '']) => {
    const given = [...block.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value])
    // The file of the secret is not on this machine.
    const { OIDC_CLIENT_SECRET_FILE: file, ...settings } = Object.fromEntries(given)
    return file ? { ...settings, OIDC_CLIENT_SECRET: 'any' } : settings
  })

  it('start with access from this machine only', () => {
    expect(examples.length).toBeGreaterThan(1)
    const { host, identity } = readConfiguration(examples[0] ?? {})
    expect(isLoopbackHost(host)).toBe(true)
    expect(identity.kind).toBe('demo')
  })

  it.each(examples)('require a sign-in for network access: %j', (example) => {
    const { host, identity, isPublicUrlSet } = readConfiguration(example)
    if (isLoopbackHost(host)) return
    expect({ identity: identity.kind, isPublicUrlSet }).toEqual({ identity: 'oidc', isPublicUrlSet: true })
  })
})

describe('settings in the documents', () => {
  const given = [...documents, 'Containerfile'].flatMap((document) =>
    [...read(document).matchAll(/(?<![\w$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)=/g)].map(
      ([, name = '']) => [document, name] as const,
    ),
  )
  // Variables of tests, benchmarks, GDAL and QGIS, and placeholders.
  const others = [
    'BENCH_FEATURES',
    'CI',
    'COLUMN',
    'GDAL_HTTP_USERPWD',
    'KILL_ROUNDS',
    'NAME',
    'PAGE_SIZE',
    'QT_QPA_PLATFORM',
    'REAL_DATA_DIR',
    'SRID',
  ]

  it('exist', () => {
    expect(given.map(([, name]) => name)).toContain('PUBLIC_URL')
  })

  it.each(given)('%s: %s is a setting', (_, name) => {
    expect([...Object.keys(settingsSchema.shape), ...others]).toContain(name)
  })
})

describe('commands in the documents', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const commands = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnpm (?:run (?<run>[\w:-]+)|(?<short>start|test))\b/g)].map(
      ({ groups }) => [document, groups?.run ?? groups?.short ?? ''] as const,
    ),
  )

  it('exist', () => {
    expect(commands.length).toBeGreaterThan(0)
  })

  it.each(commands)('%s: npm %s is a script', (_, script) => {
    expect(Object.keys(scripts)).toContain(script)
  })
})

describe('programs in the documents', () => {
  const programs = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnode ((?:server|scripts)\/\S+\.(?:ts|mjs))/g)].map(
      ([, program = '']) => [document, program] as const,
    ),
  )

  it('exist', () => {
    expect(programs.length).toBeGreaterThan(0)
  })

  it.each(programs)('%s: %s exists', (_, program) => {
    expect(files).toContain(program)
  })
})

describe('code that the documents of docs/ name', () => {
  const code = files
    .filter((path) => /\.(tsx?|mjs|css|json)$/.test(path) && path !== 'package-lock.json')
    .map(read)
    .join('\n')
  const named = (pattern: RegExp) =>
    documents
      .filter((path) => path.startsWith('docs/'))
      .flatMap((document) =>
        [...read(document).matchAll(pattern)].map(([, name = '']) => [document, name] as const),
      )
  // Written by benchmarks.
  const isGenerated = (path: string) => path.startsWith('bench/results/')

  it.each(named(/`((?:server|web|domain|test|scripts|bench|docs)\/[\w./-]+?)\/?`/g))(
    '%s: %s exists',
    (_, path) => {
      expect(isGenerated(path) || files.some((file) => file === path || file.startsWith(`${path}/`))).toBe(
        true,
      )
    },
  )

  it.each(named(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g))('%s: %s is in the code', (_, name) => {
    expect(code).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

describe('links between the documents', () => {
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|mailto:|#)(?<target>[^)#\s]+)/g)].map(
      ({ groups }) => [document, groups?.target ?? ''] as const,
    ),
  )

  it.each(links)('%s: %s exists', (document, target) => {
    expect(existsSync(join(projectFolder, document, '..', decodeURI(target)))).toBe(true)
  })
})

describe.each(documents.filter((path) => read(path).includes('\n```tree\n')))(
  'the tree in %s',
  (document) => {
    const tree = read(document).match(/^```tree\n(.*?)^```$/ms)?.[1] ?? ''
    const paths = pathsOfTree(tree)

    it('names at least one path', () => {
      expect(paths.length).toBeGreaterThan(0)
    })

    it.each(paths)('names %s, which exists', (path) => {
      expect(files.some((file) => file === path || file.startsWith(`${path}/`))).toBe(true)
    })
  },
)

describe('the tree in README.md', () => {
  const named = new Set(pathsOfTree(read('README.md').match(/^```tree\n(.*?)^```$/ms)?.[1] ?? ''))
  const folders = files.flatMap((file) => file.match(/^(?:domain|server|web)\/[^/]+(?=\/)/)?.[0] ?? [])

  it.each([...new Set(folders)])('names %s', (folder) => {
    expect(named).toContain(folder)
  })
})

/** `\|` is an escaped bar inside a cell. */
function tableRows(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )
}

/**
 * Reads a tree that is indented by two spaces per level. Two spaces separate names from their description; several
 * names may share a line.
 */
function pathsOfTree(tree: string): string[] {
  const parents: string[] = []
  return tree
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const depth = (line.length - line.trimStart().length) / 2
      const names = (line.trim().split(/ {2,}/)[0] ?? '').split(' ').map((name) => name.replace(/\/$/, ''))
      const above = parents.slice(0, depth)
      parents[depth] = names[0] ?? ''
      return names.map((name) => [...above, name].join('/'))
    })
}
