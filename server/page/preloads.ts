import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the builder writes of each part: its file, and what it needs. */
type Part = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Part>

/** By their sources: what every page needs, and what the page of a map needs besides. */
const everyPage = ['app/start.tsx']
const mapPage = ['map/start-map.ts', ...everyPage, 'app/map-page/map-screen.tsx', 'map/map-view.tsx']

/**
 * Elements that ask for the parts of the page before the page itself knows that it needs them: all of them are on their
 * way at once, rather than one after the other. What the page names itself is left out. Nothing where the page was built
 * without a manifest.
 */
export function readPreloads(pageDirectory: string, html: string): { map: string[]; other: string[] } {
  const path = join(pageDirectory, '.vite/manifest.json')
  if (!existsSync(path)) return { map: [], other: [] }
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const worker = Object.keys(manifest).filter((source) => source.endsWith('maplibre-gl-worker.mjs'))
  const elements = (sources: readonly string[]) =>
    filesOf(manifest, sources)
      .filter((file) => !html.includes(file))
      .map(elementOf)
  return { map: elements([...mapPage, ...worker]), other: elements(everyPage) }
}

/** The files of these parts and of all that they need. */
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

const elementOf = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" href="/${file}">`
    : `<link rel="modulepreload" href="/${file}">`
