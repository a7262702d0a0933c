import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

// Programs that the tests need and npm does not bring.

const onPath = (name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))

/** Folder of the programs of a PostgreSQL that has PostGIS, or undefined. Debian keeps them off the PATH. */
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
  // Debian's first: there pg_config belongs to a package of its own.
  const debian = binaries.replace('/usr/lib/', '/usr/share/').replace(/\/bin$/, '')
  const config = spawnSync(join(binaries, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
  return [debian, (config.stdout ?? '').trim()].some((folder) =>
    existsSync(join(folder, 'extension/postgis.control')),
  )
}

/** The one without a window of its own comes first: it does the same with a quarter less of the processor. */
const browsers = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Path of a Chromium, or undefined. */
export function findChromium() {
  const macos = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [...browsers.flatMap(onPath), macos].find((path) => existsSync(path))
}

/** Path of GDAL's `ogrinfo`, or undefined. */
export function findOgrinfo() {
  return onPath('ogrinfo').find((path) => existsSync(path))
}

/** Path of a Python 3, or undefined. */
export function findPython() {
  return onPath('python3').find((path) => existsSync(path))
}

/** Path of a `curl`, or undefined. */
export function findCurl() {
  return onPath('curl').find((path) => existsSync(path))
}

/** Path of an R that has the packages `curl` and `jsonlite`, or undefined. */
export function findR() {
  const packages = ['-e', 'stopifnot(requireNamespace("curl"), requireNamespace("jsonlite"))']
  return onPath('Rscript').find((path) => existsSync(path) && spawnSync(path, packages).status === 0)
}

/** A Python that has the library of QGIS, and its version as a number, such as 33200; or undefined. */
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
