import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, projectEnvironment, projectNode } from './install.mjs'
import { isStopping, run } from './processes.mjs'
import { root, say, secondsSince } from './root.mjs'

// npm run build; also used by npm start and npm test.

/** Everything that affects the build. */
const sources = ['web', 'domain', 'vite.config.ts', 'package-lock.json']
const stamp = join(root, 'dist', 'page-sources.sha256')
const page = join(root, 'dist', 'web', 'index.html')

/** Builds the page if its sources have changed. Returns whether a build exists. */
export async function buildPage() {
  const hash = hashOfSources()
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true
  const start = Date.now()
  say('Building the page ...')
  rmSync(stamp, { force: true })
  let output = ''
  const exitCode = await run([projectNode(), 'node_modules/vite/bin/vite.js', 'build'], {
    cwd: root,
    env: projectEnvironment(),
    onOutput: (text) => {
      output += text
    },
  })
  if (isStopping()) return false
  if (exitCode !== 0 || !existsSync(page)) {
    process.stderr.write(`${output}\nBuilding the page failed.\n`)
    return false
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  say(`Built in ${secondsSince(start)}.`)
  return true
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const path of filesOf(source)) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesOf(path) {
  let entries
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  const names = entries.map((entry) => entry.name).filter((name) => !/\.test\.tsx?$/.test(name))
  return names.sort().flatMap((name) => filesOf(`${path}/${name}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install()
  process.exit((await buildPage()) ? 0 : 1)
}
