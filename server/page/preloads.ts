import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Part = { file: string; name?: string; imports?: string[]; css?: string[]; assets?: string[] }
type Manifest = Record<string, Part>

const everyPage = ['page']
const mapPage = ['map', ...everyPage, 'map-page', 'map-view']

/**
 * Elements that preload the parts of the page at once, before its scripts request them one after the other.
 * Omits parts that the HTML references itself. Empty without a manifest.
 */
export function readPreloads(pageDirectory: string, html: string): { map: string[]; other: string[] } {
  const path = join(pageDirectory, '.vite/manifest.json')
  if (!existsSync(path)) return { map: [], other: [] }
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const named = (names: readonly string[]) =>
    names.flatMap((name) => Object.keys(manifest).filter((source) => manifest[source]?.name === name))
  const elements = (sources: readonly string[]) =>
    filesOf(manifest, sources)
      .filter((file) => !html.includes(file))
      .map(elementOf)
  const workers = named(['map'])
    .flatMap((source) => manifest[source]?.assets ?? [])
    .filter((file) => file.endsWith('.js'))
  return {
    map: [...elements(named(mapPage)), ...workers.map(workerElementOf)],
    other: elements(named(everyPage)),
  }
}

function filesOf(manifest: Manifest, sources: readonly string[]): string[] {
  const files = new Set<string>()
  const visit = (source: string) => {
    const part = manifest[source]
    if (!part || files.has(part.file)) return
    files.add(part.file)
    for (const style of part.css ?? []) files.add(style)
    for (const needed of part.imports ?? []) visit(needed)
  }
  for (const source of sources) visit(source)
  return [...files]
}

const workerElementOf = (file: string) => `<link rel="prefetch" as="script" href="/${file}">`

/** Must match the request of the builder's loader: otherwise the browser would load the file twice. */
const elementOf = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" href="/${file}">`
