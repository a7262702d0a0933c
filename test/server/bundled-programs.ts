import { globSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

// Tests start hundreds of processes, each of which loads a thousand modules. Bundling them saves a third of the
// processor time of a start.

const projectFolder = join(import.meta.dirname, '../..')
const folder = join(projectFolder, 'node_modules/.cache/programs')
const programs = [
  'server/main.ts',
  'server/**/*.cli.ts',
  'server/**/*.worker.ts',
  'server/**/*.process.ts',
  'test/databases/{count-up,migrate-once,run-jobs}.ts',
]

const isBundled = 'TEST_PROGRAMS_ARE_BUNDLED'

export async function bundlePrograms(): Promise<void> {
  const { build } = await import('vite')
  const files = globSync(programs, { cwd: projectFolder })
  const input = Object.fromEntries(files.map((file) => [nameOf(file), file]))
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: 'warn',
    plugins: [placesOfSources],
    ssr: { noExternal: ['kysely', 'zod'] },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      // Tests running in another terminal read from it.
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  process.env[isBundled] = 'yes'
}

export function programOf(file: string): string {
  const isProgram = programs.some((pattern) => matchesGlob(file, pattern))
  return isProgram && process.env[isBundled] ? join(folder, `${nameOf(file)}.js`) : file
}

const nameOf = (file: string) => basename(file, '.ts')

const bundledUrl = (program: string) => JSON.stringify(pathToFileURL(join(folder, `${program}.js`)))

const isSource = (id: string) => id.startsWith(projectFolder) && !id.includes('/node_modules/')

const withBundledPrograms = (code: string) =>
  code.replace(
    /new URL\('[./\w-]*?([\w-]+\.(?:worker|process))\.ts', import\.meta\.url\)/g,
    (_, program) => `new URL(${bundledUrl(program)})`,
  )

/** Starts bundled threads and processes from the code under test, too. */
export const startsBundledPrograms: Plugin = {
  name: 'starts-bundled-programs',
  enforce: 'pre',
  transform: (code, id) => (isSource(id) && process.env[isBundled] ? withBundledPrograms(code) : undefined),
}

/** Keeps `import.meta` paths of the source, except for the threads and processes that it starts. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  enforce: 'pre',
  transform(code, id) {
    if (!isSource(id)) return
    return withBundledPrograms(code)
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id)))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
  },
}
