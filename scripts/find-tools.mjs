import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

// System programs that the tests need.

const onPath = (name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))

/** The folder of a PostgreSQL with PostGIS, or undefined. Debian keeps it off the PATH. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const packaged = versions.map((version) => join(debian, version, 'bin', 'initdb'))
  return [...packaged, ...onPath('initdb')]
    .filter((path) => existsSync(path))
    .map((path) => dirname(realpathSync(path)))
    .find(hasPostgis)
}

function hasPostgis(binaries) {
  // Debian first: its pg_config is in a package of its own.
  const debian = binaries.replace('/usr/lib/', '/usr/share/').replace(/\/bin$/, '')
  const config = spawnSync(join(binaries, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
  return [debian, (config.stdout ?? '').trim()].some((folder) =>
    existsSync(join(folder, 'extension/postgis.control')),
  )
}

/** Chromium without windows needs a third less processor time. */
export function findHeadlessShell() {
  return onPath('chromium-headless-shell').find((path) => existsSync(path))
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export function findChromium() {
  const macos = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return findHeadlessShell() ?? [...browsers.flatMap(onPath), macos].find((path) => existsSync(path))
}

export function findOgrinfo() {
  return onPath('ogrinfo').find((path) => existsSync(path))
}

export function findPython() {
  return onPath('python3').find((path) => existsSync(path))
}

export function findCurl() {
  return onPath('curl').find((path) => existsSync(path))
}

/** An R with the packages `curl` and `jsonlite`, or undefined. */
export function findR() {
  const packages = ['-e', 'stopifnot(requireNamespace("curl"), requireNamespace("jsonlite"))']
  return onPath('Rscript').find((path) => existsSync(path) && spawnSync(path, packages).status === 0)
}

/** A Python with the QGIS library, and the version as a number, such as 33200; or undefined. */
export function findQgis() {
  const program = 'from qgis.core import Qgis; print(Qgis.QGIS_VERSION_INT)'
  return ['/usr/bin/python3', ...onPath('python3')]
    .filter((path) => existsSync(path))
    .map((python) => ({
      python,
      version: Number(spawnSync(python, ['-c', program], { encoding: 'utf8' }).stdout),
    }))
    .find(({ version }) => version > 0)
}
