import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  findChromium,
  findCurl,
  findHeadlessShell,
  findOgrinfo,
  findPostgres,
  findPython,
  findQgis,
  findR,
} from './find-tools.mjs'
import { say, secondsSince } from './root.mjs'

const tools = {
  postgres: {
    name: 'PostgreSQL with PostGIS',
    find: findPostgres,
    packages: ['postgresql', 'postgresql-postgis'],
  },
  gdal: { name: 'GDAL', find: findOgrinfo, packages: ['gdal-bin'] },
  python: { name: 'Python', find: findPython, packages: ['python3'] },
  curl: { name: 'curl', find: findCurl, packages: ['curl'] },
  // Not installed automatically: hundreds of MB for a few examples.
  r: { name: 'R with its packages curl and jsonlite', find: findR, packages: [] },
  qgis: { name: 'QGIS with its Python', find: findQgis, packages: [] },
  chromium: {
    name: 'Chromium',
    find: findChromium,
    // Continuous integration installs it even if another browser is there.
    findBest: findHeadlessShell,
    packages: ['chromium-headless-shell'],
  },
}

/**
 * Installs missing system tools as root on Debian; otherwise prints how to. Returns the names of those still missing.
 */
export function installTools(wanted) {
  const without = wanted.filter((tool) => {
    const { find, findBest = find } = tools[tool]
    return !(process.env.CI ? findBest() : find())
  })
  const packages = without.flatMap((tool) => tools[tool].packages)
  const mayInstall = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (mayInstall && packages.length > 0) aptInstall(packages)
  const missing = without.filter((tool) => !tools[tool].find())
  for (const tool of missing) say(`Missing: ${tools[tool].name}. Install it to run the tests that need it.`)
  return missing
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
