import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { projectFolder } from '#test/server/processes.ts'
import { keepOldBuilds } from './old-builds.mjs'

const day = 86_400_000
let root: string
let folder: string
let record: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'poa-builds-'))
  folder = join(root, 'assets')
  record = join(root, 'builds.json')
  mkdirSync(folder)
})
afterEach(() => rmSync(root, { recursive: true }))

function build(now: number, ...files: string[]) {
  for (const file of files)
    for (const ending of ['', '.gz', '.br']) writeFileSync(join(folder, file + ending), '')
  keepOldBuilds({ folder, record, files, now })
}
const scripts = () => readdirSync(folder).filter((name) => name.endsWith('.js'))

it('keeps files of earlier builds for a week after they were replaced', () => {
  build(0, 'shared.js', 'a-1.js')
  build(1 * day, 'shared.js', 'a-2.js')
  expect(scripts()).toEqual(['a-1.js', 'a-2.js', 'shared.js'])
  // Eight days old, and open in a browser until now.
  build(9 * day, 'shared.js', 'a-3.js')
  expect(scripts()).toEqual(['a-2.js', 'a-3.js', 'shared.js'])
  expect(readdirSync(folder)).not.toContain('a-1.js.gz')
  build(15.5 * day, 'shared.js', 'a-3.js')
  expect(scripts()).toEqual(['a-2.js', 'a-3.js', 'shared.js'])
  build(16.5 * day, 'shared.js', 'a-3.js')
  expect(scripts()).toEqual(['a-3.js', 'shared.js'])
})

it('keeps at most five builds, and counts equal builds once', () => {
  for (let number = 1; number <= 6; number++) build(number, `a-${number}.js`)
  build(7, 'a-6.js')
  expect(scripts()).toEqual(['a-2.js', 'a-3.js', 'a-4.js', 'a-5.js', 'a-6.js'])
})

it('removes files of builds before the first record', () => {
  writeFileSync(join(folder, 'older.js'), '')
  build(0, 'a-1.js')
  expect(scripts()).toEqual(['a-1.js'])
})

it('runs with the build of the page', async () => {
  const page = join(root, 'page')
  const outDir = join(root, 'dist/web')
  const assets = join(outDir, 'assets')
  mkdirSync(page)
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(assets, 'unrecorded.js'), '')
  writeFileSync(join(page, 'index.html'), '<script type="module" src="./main.js"></script>')
  const made: string[] = []
  for (const version of ['first', 'second']) {
    writeFileSync(join(page, 'main.js'), `document.title = '${version}'`)
    const configFile = join(projectFolder, 'vite.config.ts')
    await buildPage({ configFile, root: page, build: { outDir }, logLevel: 'silent' })
    made.push(...readdirSync(assets).filter((name) => !made.includes(name)))
  }
  expect(made).toEqual([expect.stringMatching(/^index-.*\.js$/), expect.stringMatching(/^index-.*\.js$/)])
  expect(readdirSync(assets).toSorted()).toEqual(made.toSorted())
})
