import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

// Bundles the first page of a map into few large files, as fifty small ones take longer to request than to send. Code
// that only other screens need stays separate.

const web = join(import.meta.dirname, '../web')
const screens = {
  entry: ['main.ts'],
  map: ['map/start-map.ts'],
  frame: ['app/start.tsx'],
  mapScreen: ['app/map-page/map-screen.tsx'],
  mapView: ['map/map-view.tsx'],
  area: ['app/config/config-shell.tsx', 'app/config/client-selection-page.tsx'],
}

/** @typedef {{ getModuleInfo(id: string): { importedIds: readonly string[], code?: string | null } | null }} Graph */
/** @typedef {Record<keyof typeof screens, ReadonlySet<string>>} Needed */

/**
 * Names the chunk of a module; null leaves it to the bundler. Chunks never import each other in a circle, as all
 * imports of a module are needed by the same screens.
 * @returns {(id: string, graph: Graph) => string | null}
 */
export function chunkNames() {
  /** @type {Needed | undefined} */
  let needed
  return (id, graph) => {
    needed ??= /** @type {Needed} */ (
      Object.fromEntries(Object.entries(screens).map(([name, files]) => [name, allNeededBy(files, graph)]))
    )
    return nameOf(id, needed)
  }
}

/** @type {(id: string, needed: Needed) => string | null} */
function nameOf(id, { entry, map, frame, mapScreen, mapView, area }) {
  const isElsewhere = frame.has(id) || area.has(id)
  const isOnMapPage = mapScreen.has(id) || mapView.has(id)
  if (entry.has(id)) return map.has(id) || isElsewhere || isOnMapPage ? 'shared' : null
  if (map.has(id)) return isElsewhere ? 'shared' : 'map'
  if (frame.has(id) || (isOnMapPage && area.has(id))) return 'page'
  if (mapScreen.has(id)) return 'map-page'
  return mapView.has(id) ? 'map-view' : null
}

/** @type {(files: readonly string[], graph: Graph) => ReadonlySet<string>} */
function allNeededBy(files, graph) {
  const found = new Set()
  /** @param {string} id */
  const visit = (id) => {
    if (found.has(id)) return
    found.add(id)
    for (const needed of neededBy(id, graph)) visit(needed)
  }
  for (const file of files) visit(join(web, file))
  return found
}

/**
 * Libraries whose index exports everything: a module only needs the exports that it names.
 * @type {Record<string, RegExp>}
 */
const indexes = {
  '@mantine/core': /@mantine\/core\/esm\/index\.mjs$/,
  '@mantine/hooks': /@mantine\/hooks\/esm\/index\.mjs$/,
  '@tabler/icons-react': /@tabler\/icons-react\/dist\/esm\/tabler-icons-react\.mjs$/,
}

/** @type {(id: string, graph: Graph) => readonly string[]} */
function neededBy(id, graph) {
  const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
  return importedIds.flatMap((imported) => {
    const [library] = Object.entries(indexes).find(([, index]) => index.test(imported)) ?? []
    if (!library) return [imported]
    const named = new Set(statements(code).flatMap((one) => (one.source === library ? one.names : [])))
    return statements(graph.getModuleInfo(imported)?.code)
      .filter(({ locals }) => locals.some((local) => named.has(local)))
      .map(({ source }) => join(dirname(imported), source))
  })
}

/**
 * Named imports and re-exports of a module.
 * @param {string | null | undefined} code
 */
function statements(code) {
  const found = code?.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g) ?? []
  return [...found].map(([, list = '', source = '']) => {
    const names = list.split(',').map((name) => name.trim().split(/\s+as\s+/))
    return { source, names: names.map(([name = '']) => name), locals: names.map((name) => name.at(-1) ?? '') }
  })
}

/**
 * Returns chunks that import each other, one of which would run before its imports; null if there are none.
 * @param {Record<string, { imports?: readonly string[] }>} bundle
 * @returns {string[] | null}
 */
export function findChunkCircle(bundle) {
  const done = new Set()
  /** @type {(name: string, path: string[]) => string[] | null} */
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return null
    for (const needed of bundle[name]?.imports ?? []) {
      const circle = visit(needed, [...path, name])
      if (circle) return circle
    }
    done.add(name)
    return null
  }
  for (const name of Object.keys(bundle)) {
    const circle = visit(name, [])
    if (circle) return circle
  }
  return null
}

const weighedParts = {
  page: /^(index|rolldown-runtime|shared|page|map-page)$/,
  map: /^(map|map-view)$|maplibre-gl-worker/,
}

/** Kilobytes, compressed by gzip. */
const weightLimits = { page: 206, map: 466 }

/**
 * Compares the scripts that the first page needs before the map engine, and those of the engine, with their limits.
 * Returns a description of the excess, or null.
 * @param {Record<string, { type: string, name?: string, names?: string[], code?: string, source?: string | Uint8Array }>} bundle
 * @returns {string | null}
 */
export function findExcessWeight(bundle, limits = weightLimits) {
  const weights = { page: 0, map: 0 }
  for (const [file, { name = '', code, source }] of Object.entries(bundle)) {
    const part = weighedParts.page.test(name) ? 'page' : weighedParts.map.test(name || file) ? 'map' : null
    if (part) weights[part] += gzipSync(code ?? source ?? '').length / 1000
  }
  const excess = Object.entries(limits).filter(([part, limit]) => weights[part] > limit)
  if (excess.length === 0) return null
  return excess.map(([part, limit]) => `${part}: ${weights[part].toFixed(0)} of ${limit} kB`).join(', ')
}

const offlineParts = /^(index|page|map|map-page|map-view|new-report|reporting-part|phone-sheet|detail-panel)$/

/**
 * Names the files that a public map needs to report a problem without a connection.
 * @param {Record<string, { name?: string, imports?: readonly string[], viteMetadata?: { importedCss: Set<string> } }>} bundle
 * @returns {string[]}
 */
export function filesForOffline(bundle) {
  const files = new Set()
  /** @param {string} file */
  const visit = (file) => {
    if (files.has(file)) return
    files.add(file)
    for (const needed of bundle[file]?.imports ?? []) visit(needed)
    for (const style of bundle[file]?.viteMetadata?.importedCss ?? []) files.add(style)
  }
  for (const [file, { name = '', imports }] of Object.entries(bundle))
    if ((imports && offlineParts.test(name)) || /worker-[^/]*\.js$/.test(file)) visit(file)
  return [...files].sort()
}
