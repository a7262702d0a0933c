import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'

// The plain English that CONTRIBUTING asks for, as far as a program can check it.

/** Folders and files that are still to be rewritten. */
const exempt = [
  'server/database/migrations/007-shapes-by-zoom.ts',
  'server/database/migrations/010-published-metadata.ts',
  'server/database/migrations/020-maintenance.ts',
  'web/public',
]

/** Openers that make a reader look for the subject. */
const opener =
  /(?:^|[.:;!?]\s+)(what (?:is|was|has|it|the|a|an|no|one|nobody|somebody|others|they|to|follows|cannot|could|does|did|only|comes|can)\b|whoever|whatever|nobody|somebody|others\b|so many|so often|so long|so much|of the\b|of what|of which|of whom|where \w+ is not|nothing (?:is|of)\b|none of what)/i

/** Words that no sentence needs. */
const bannedWords =
  /\b(whoever|nobody|somebody|nobody's|somebody's|what is|what was|what it|is told|are told|was told|put back|taken back|take back|took back|mended?|brought|upkeep)\b/i

/** Words in names of declarations, by parts: `saidValue` and `whatSaid` contain 'said'. */
const bannedParts = new Set([
  ...['said', 'unsaid', 'told', 'meant', 'asked', 'asker', 'whoever', 'upkeep', 'mend', 'mended', 'mendable'],
  ...['brought', 'kept', 'former', 'scene'],
])

/** As whole names. A limit begins with `max`, not with `most`. */
const bannedNames = new Set([
  ...['known', 'present', 'left', 'hold', 'look', 'question', 'bring', 'come', 'putBack', 'takeBack'],
  ...['ofMap', 'ofWhat', 'ofKind', 'ofFeature', 'ofFeatures', 'ofClient', 'ofPerson', 'ofRow'],
])

const declaration =
  /\b(?:const|let|function\*?|class|type|interface)\s+([A-Za-z_$][\w$]*)|(?:\(|,\s)([a-z][\w$]*)\s*(?::[^,()]*)?\)?\s*=>/g

const isExempt = (path: string) => exempt.some((start) => path === start || path.startsWith(`${start}/`))

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectFolder,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(projectFolder, path)))
const ownFile = 'test/rules/language.test.ts'
const code = files.filter((path) => /\.(?:ts|tsx|mjs|css)$/.test(path) && path !== ownFile && !isExempt(path))
const documents = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md' && !isExempt(path))

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

type Line = { number: number; text: string }

/** The comments of a file, a paragraph each, with the line that it begins on. */
function commentsIn(source: string): Line[] {
  const comments: Line[] = []
  let isOpen = false
  source.split('\n').forEach((line, index) => {
    const text = /^\s*(?:\/\*\*?|\/\/|\*(?!\/))\s?(.*?)(?:\*\/)?$/.exec(line)?.[1]
    if (text === undefined) {
      isOpen = false
      const trailing = /(?:^|\s)\/\/\s(?!biome)(.*)$/.exec(line)?.[1]
      if (trailing !== undefined) comments.push({ number: index + 1, text: trailing })
      return
    }
    const isStart = !isOpen || /^\s*\/\*/.test(line) || text.trim() === ''
    const last = comments.at(-1)
    if (isStart || !last) comments.push({ number: index + 1, text: text.trim() })
    else last.text = `${last.text} ${text.trim()}`.trim()
    isOpen = text.trim() !== ''
  })
  return comments.filter(({ text }) => text !== '')
}

/** Texts of at least 15 characters outside of comments. */
const messagesIn = (source: string): Line[] =>
  source.split('\n').flatMap((line, index) =>
    /^\s*(?:\/\/|\/?\*)/.test(line)
      ? []
      : [...line.matchAll(/'((?:[^'\\]|\\.){15,})'|`([^`]{15,})`/g)].map((match) => ({
          number: index + 1,
          text: match[1] ?? match[2] ?? '',
        })),
  )

const titlesIn = (source: string): Line[] =>
  source.split('\n').flatMap((line, index) => {
    const title = /^\s*(?:it|test|describe)(?:\.\w+(?:\(.*\))?)*\(\s*['"`](.+?)['"`],?/.exec(line)?.[1]
    return title === undefined ? [] : [{ number: index + 1, text: title }]
  })

const paragraphsIn = (document: string): Line[] =>
  document
    .replace(/^```[\s\S]*?^```/gm, (block) => '\n'.repeat(block.split('\n').length - 1))
    .split('\n')
    .map((text, index) => ({ number: index + 1, text: text.replace(/^[\s>*|#-]+|`[^`]*`/g, '') }))

const faultsOf = (path: string, lines: Line[]) =>
  lines.flatMap(({ number, text }) => {
    const found = opener.exec(text)?.[1] ?? bannedWords.exec(text)?.[0]
    return found === undefined ? [] : [`${path}:${number} '${found}' in: ${text}`]
  })

const partsOf = (name: string) => name.split(/(?=[A-Z])|[-_.]/).map((part) => part.toLowerCase())

function nameFaultsOf(path: string): string[] {
  const stem = basename(path, extname(path))
  const found = [...read(path).matchAll(declaration)].map((match) => match[1] ?? match[2] ?? '')
  return [...new Set([...found, stem])]
    .filter(
      (name) =>
        bannedNames.has(name) ||
        /^most[A-Z]/.test(name) ||
        partsOf(name).some((part) => bannedParts.has(part)),
    )
    .map((name) => `${path} '${name}'`)
}

describe('plain English', () => {
  it('is in every comment', () => {
    expect(code.flatMap((path) => faultsOf(path, commentsIn(read(path))))).toEqual([])
  })

  it('is in every message and description of the server', () => {
    const sources = code.filter((path) => /^(?:server|domain)\/(?!.*\.test\.ts$|.*\/migrations\/)/.test(path))
    expect(sources.flatMap((path) => faultsOf(path, messagesIn(read(path))))).toEqual([])
  })

  it('is in every test title', () => {
    const tests = code.filter((path) => /\.(?:test|spec)\.tsx?$/.test(path))
    expect(tests.flatMap((path) => faultsOf(path, titlesIn(read(path))))).toEqual([])
  })

  it('is in every document', () => {
    expect(documents.flatMap((path) => faultsOf(path, paragraphsIn(read(path))))).toEqual([])
  })

  it('is in every name', () => {
    expect(code.flatMap(nameFaultsOf)).toEqual([])
  })

  it.each([
    ['/** What is removed. */', 1],
    ['// Removed features. Nobody can restore them.', 1],
    ['/**\n * Returns the features\n * of the map.\n */', 0],
    ['const most = 1 // So many rows.', 1],
  ])('finds the faults of %j', (source, count) => {
    expect(faultsOf('a.ts', commentsIn(source))).toHaveLength(count)
  })
})
