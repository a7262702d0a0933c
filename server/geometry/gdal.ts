import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

// GDAL as WebAssembly. It sees its input and output folders only, and no network. Loaded in child processes
// that can be killed.

export type Dataset = { pointer: number; info?: DatasetInfo }
export type DatasetInfo = {
  layers?: {
    name: string
    featureCount?: number
    geometryFields?: { type: string; coordinateSystem?: { wkt: string } }[]
  }[]
}
/** Rejections are one of these, or a list of them. */
export type GdalProblem = { message: string } | string
export type Gdal = {
  open(path: string): Promise<{ datasets: Dataset[]; errors: GdalProblem[] }>
  close(dataset: Dataset): Promise<void>
  ogr2ogr(dataset: Dataset, options: readonly string[], outputName: string): Promise<{ local: string }>
  gdaltransform(
    positions: readonly (readonly [number, number])[],
    options: readonly string[],
  ): Promise<[number, number][]>
  Module: {
    NODEFS: object
    FS: {
      readFile(path: string): Uint8Array
      mount(type: object, of: { root: string }, at: string): void
      unmount(at: string): void
    }
  }
}
/** GDAL is a singleton that keeps its first message handler, which forwards to this listener. */
type InitGdal = ((config: object) => Promise<Gdal>) & { onSaid?: (message: string) => void }

export async function loadGdal(onSaid: (message: string) => void): Promise<Gdal> {
  const require = createRequire(import.meta.url)
  const parts = join(dirname(require.resolve('gdal3.js/package.json')), 'dist/package')
  const init = require('gdal3.js/node') as InitGdal
  init.onSaid = onSaid
  const gdal = await init({
    // GDAL resolves paths from the working directory.
    path: relative(process.cwd(), parts),
    useWorker: false,
    env: {
      // The first row of a sheet names its columns, as in any table; GDAL would assume so only above numbers.
      OGR_XLSX_HEADERS: 'FORCE',
      OGR_ODS_HEADERS: 'FORCE',
      // After 1,000 errors, it would no longer report faults of files.
      CPL_MAX_ERROR_REPORTS: String(2 ** 31 - 1),
    },
    logHandler: () => {},
    errorHandler: (message: string) => init.onSaid?.(message),
  })
  // GDAL's loader sets this, which makes other libraries assume a browser.
  Reflect.deleteProperty(globalThis, 'location')
  return gdal
}

const outputInside = '/output'

export async function writeInto(
  { Module: { FS, NODEFS } }: Gdal,
  folder: string,
  write: () => Promise<{ local: string }>,
): Promise<string> {
  FS.mount(NODEFS, { root: folder }, outputInside)
  try {
    const { local } = await write()
    return local.replace(outputInside, folder)
  } finally {
    FS.unmount(outputInside)
  }
}
