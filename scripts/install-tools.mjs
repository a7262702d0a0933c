import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, findOgrinfo, findPostgres, findPython } from './find-tools.mjs'
import { say, secondsSince } from './root.mjs'

const tools = {
  postgres: {
    name: 'PostgreSQL with PostGIS',
    find: findPostgres,
    packages: ['postgresql', 'postgresql-postgis'],
  },
  gdal: { name: 'GDAL', find: findOgrinfo, packages: ['gdal-bin'] },
  python: { name: 'Python', find: findPython, packages: ['python3'] },
  chromium: { name: 'Chromium', find: findChromium, packages: ['chromium-headless-shell'] },
}

/**
 * Sees to it that tools of the system are there: on Debian and its kin root may install them, elsewhere it
 * says what to install. Returns the names of those that are still missing.
 */
export function installTools(wanted) {
  const missing = () => wanted.filter((tool) => !tools[tool].find())
  const packages = missing().flatMap((tool) => tools[tool].packages)
  if (packages.length === 0) return []
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) aptInstall(packages)
  for (const tool of missing()) say(`Missing: ${tools[tool].name}. Install it to run the tests that need it.`)
  return missing()
}

function aptInstall(packages) {
  const start = Date.now()
  say(`Installing ${packages.join(', ')} with apt-get ...`)
  const steps = [
    ['update', '-qq'],
    ['install', '-qq', '-y', '--no-install-recommends', ...packages],
  ]
  for (const step of steps) {
    const apt = spawnSync('apt-get', step, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 2 ** 28,
    })
    if (apt.status === 0) continue
    process.stderr.write(`${apt.stdout}${apt.stderr}\napt-get ${step[0]} failed.\n`)
    return
  }
  say(`Installed in ${secondsSince(start)}.`)
}
