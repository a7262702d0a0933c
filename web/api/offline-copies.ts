import type { OpeningData } from '#domain/opening/opening.schema.ts'
import { copiedAtName, openingElementId } from '#domain/opening/opening-page.ts'

// Copies of public answers, with which the service worker answers without a connection. All are requested without
// cookies, so that they contain nothing that only staff see.

type Build = { version: string; files: readonly string[] }

/** Fetched while a request is answered. */
type Later = (work: Promise<unknown>) => void
type Answering = (request: Request, later: Later) => Promise<Response>

const prefix = 'poa-page-'
const root = '<div id="root">'
const tilesName = 'poa-tiles'
/** The page without a map, for all other screens. */
const shell = '/config'
const maxDocuments = 20
const maxTiles = 600
const maxTileBytes = 30_000_000
const gatewayStatuses = new Set([502, 503, 504])

/** `tileOrigins` are those of base maps. */
export function createOfflineCopies({ version, files }: Build, tileOrigins: readonly string[]) {
  const name = `${prefix}${version}`
  const open = () => caches.open(name)

  /** Rejects if a part cannot be loaded: the previous version remains. */
  async function install(openPaths: readonly string[]): Promise<void> {
    const cache = await open()
    await cache.addAll(files)
    const earlier = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name)
    const requests = await Promise.all(earlier.map(async (other) => (await caches.open(other)).keys()))
    const paths = requests.flat().map(({ url }) => new URL(url).pathname)
    const documents = [...paths, ...openPaths].flatMap((path) => documentOf(path) ?? [])
    for (const path of new Set([shell, ...documents])) await storeDocument(path)
  }

  async function removeOldVersions(): Promise<void> {
    const old = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name)
    await Promise.all(old.map((other) => caches.delete(other)))
  }

  async function storeDocument(path: string): Promise<void> {
    const page = await fetch(path, { credentials: 'omit', cache: 'no-cache' })
    const text = await page.text()
    // Captive portals answer with their own pages.
    if (!page.ok || page.redirected || !text.includes(root)) throw new Error('not the page')
    const cache = await open()
    // Pages cannot read the headers of their own document.
    const copiedAt = page.headers.get('date') ?? new Date().toUTCString()
    const copy = text.replace(root, `<meta name="${copiedAtName}" content="${copiedAt}">${root}`)
    await cache.put(path, new Response(copy, { headers: page.headers }))
    const mapId = mapIn(text)
    if (mapId !== null) await storeForm(cache, `/api/maps/${encodeURIComponent(mapId)}/report-form`)
    const documents = (await cache.keys()).filter(({ url }) => documentOf(new URL(url).pathname) !== null)
    await Promise.all(documents.slice(0, -maxDocuments).map((request) => cache.delete(request)))
  }

  const openDocument: Answering = async (request, later) => {
    const path = documentOf(new URL(request.url).pathname)
    const answer = await fetch(request).catch(() => null)
    if (answer && !gatewayStatuses.has(answer.status)) {
      if (path !== null) later(storeDocument(path).catch(() => {}))
      return answer
    }
    const cache = await open()
    const copy = (path !== null && (await cache.match(path))) || (await cache.match(shell))
    return copy ?? answer ?? Response.error()
  }

  const openAsset: Answering = async (request, later) => {
    const cache = await open()
    const copy = await cache.match(request.url)
    if (copy) return copy
    const answer = await fetch(request)
    if (answer.ok) later(cache.put(request.url, answer.clone()))
    return answer
  }

  const openForm: Answering = async (request) => {
    try {
      return await fetch(request)
    } catch (error) {
      const copy = await (await open()).match(request.url)
      if (!copy) throw error
      // The page would take it as a sign of a connection.
      return Response.json(await copy.json(), { headers: { [copiedAtName]: copy.headers.get('date') ?? '' } })
    }
  }

  const openTile: Answering = async (request, later) => {
    try {
      const answer = await fetch(request)
      if (answer.ok && !answer.headers.get('cache-control')?.includes('no-store'))
        later(storeTile(request.url, answer.clone()))
      return answer
    } catch (error) {
      const copy = await (await caches.open(tilesName)).match(request.url)
      // The browser's own cache has tiles that it loaded before this worker started.
      return copy ?? fetch(request, { cache: 'force-cache' }).catch(() => Promise.reject(error))
    }
  }

  /** Undefined leaves a request to the browser. */
  function answering(request: Request): Answering | undefined {
    const { origin, pathname, search } = new URL(request.url)
    if (request.method !== 'GET' || request.headers.has('range')) return undefined
    if (origin !== location.origin) return tileOrigins.includes(origin) ? openTile : undefined
    if (request.mode === 'navigate') return isPage(pathname) ? openDocument : undefined
    if (pathname.startsWith('/assets/')) return openAsset
    if (/^\/api\/maps\/[^/]+\/report-form$/.test(pathname)) return openForm
    // Filters of staff name personal fields.
    return /^\/api\/maps\/[^/]+\/tiles\//.test(pathname) && search === '' ? openTile : undefined
  }

  return { install, removeOldVersions, answering }
}

const isPage = (path: string) => /^\/(?:(?:map|webgl|config|report|work)(?:\/.*)?)?$/.test(path)

async function storeForm(cache: Cache, address: string): Promise<void> {
  const form = await fetch(address, { credentials: 'omit' }).catch(() => null)
  if (form?.ok) await cache.put(address, form)
}

/** The path of the document for public maps, with or without the report form; null for other screens. */
const documentOf = (path: string): string | null =>
  /^(\/(?:map(?:\/[^/]+)?)?)(?:\/report)?\/?$/.exec(path)?.[1] ?? null

function mapIn(html: string): string | null {
  const [, json] = new RegExp(`id="${openingElementId}">(.*?)</script>`).exec(html) ?? []
  return json === undefined ? null : ((JSON.parse(json) as OpeningData).map?.summary.id ?? null)
}

let trimming: Promise<void> | undefined

async function storeTile(url: string, answer: Response): Promise<void> {
  const { headers } = answer
  const bytes = await answer.arrayBuffer()
  const stored = new Headers({ 'content-length': String(bytes.byteLength) })
  for (const name of ['content-type', 'etag'])
    if (headers.has(name)) stored.set(name, headers.get(name) ?? '')
  const cache = await caches.open(tilesName)
  await cache.put(url, new Response(bytes, { headers: stored }))
  trimming ??= trim(cache).finally(() => {
    trimming = undefined
  })
  await trimming
}

/** Removes the tiles that were requested least recently. */
async function trim(cache: Cache): Promise<void> {
  const [requests, answers] = await Promise.all([cache.keys(), cache.matchAll()])
  let [count, bytes] = [0, 0]
  for (let index = requests.length - 1; index >= 0; index--) {
    count += 1
    bytes += Number(answers[index]?.headers.get('content-length'))
    const request = requests[index]
    if (request && (count > maxTiles || bytes > maxTileBytes)) await cache.delete(request)
  }
}
