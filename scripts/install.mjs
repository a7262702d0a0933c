import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isStopping, run } from './processes.mjs'
import { fail, root, say, secondsSince } from './root.mjs'

const oldestNode = 24
const binaries = join(root, 'node_modules', '.bin')
const installedNode = join(binaries, 'node')

/** Installs the packages of package-lock.json if they are missing. Ends the process on failure. */
export async function install() {
  if (isInstalled()) return
  const start = Date.now()
  say('Installing packages with npm ci ...')
  // --include=dev: Node itself and the build tools are development packages.
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress']
  let output = ''
  const exitCode = await run(['npm', ...options], {
    cwd: root,
    // npm must not run on the Node that it is about to delete.
    env: { ...process.env, PATH: pathWithout(binaries) },
    shell: process.platform === 'win32',
    onOutput: (text) => {
      output += text
    },
  })
  if (isStopping()) process.exit(130)
  if (exitCode !== 0) fail(`${output}\nInstalling packages failed; npm's own words are above.`)
  say(`Installed in ${secondsSince(start)}.`)
}

/** The installed Node, or the current one if it is new enough. */
export function projectNode() {
  if (existsSync(installedNode) && majorOf(installedNode) >= oldestNode) return installedNode
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return process.execPath
  return fail(
    `Node ${oldestNode} is missing from node_modules (this is Node ${process.versions.node}).\n` +
      'It comes with the packages, but only if npm may run install scripts, so --ignore-scripts leaves it out.\n' +
      'To fix it: npm rebuild --ignore-scripts=false node',
  )
}

/** Programs in it find the project's Node and tools first. */
export function projectEnvironment() {
  return {
    // Restarted processes and threads reuse the compiled code.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: `${binaries}${delimiter}${pathWithout(binaries)}`,
  }
}

/** Compares with npm's own record, so that packages installed by hand count too. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    // Packages for other platforms are never installed.
    if (!found) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function majorOf(node) {
  const version =
    realpathSync(node) === realpathSync(process.execPath)
      ? process.versions.node
      : spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout
  return Number.parseInt(version, 10)
}

function pathWithout(folder) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== folder)
    .join(delimiter)
}
