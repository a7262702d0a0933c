import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOfflineCopies } from './offline-copies.ts'

const origin = 'https://land.example'
const tiles = 'https://tiles.example'
const at = (address: string) => new URL(address, origin).href
const urlOf = (input: RequestInfo | URL) => at(input instanceof Request ? input.url : String(input))

/** In the order of the last write, as in browsers. */
class StubCache {
  readonly entries = new Map<string, Response>()
  put = async (key: RequestInfo, answer: Response) => {
    this.entries.delete(urlOf(key))
    this.entries.set(urlOf(key), answer)
  }
  add = async (key: RequestInfo) => this.put(key, await load(key))
  addAll = async (keys: string[]) => void (await Promise.all(keys.map((key) => this.add(key))))
  match = async (key: RequestInfo) => this.entries.get(urlOf(key))?.clone()
  matchAll = async () => [...this.entries.values()]
  keys = async () => [...this.entries.keys()].map((url) => ({ url }))
  delete = async (key: { url: string } | string) =>
    this.entries.delete(typeof key === 'string' ? at(key) : key.url)
}

/** Header of the last answer. */
let copiedAt: string | null | undefined
let stores: Map<string, StubCache>
let isAway: boolean
let requests: { url: string; credentials: string | undefined }[]
let answers: Record<string, () => Response>

async function load(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(urlOf(input))
  const credentials = init?.credentials ?? (input instanceof Request ? input.credentials : undefined)
  requests.push({ url: pathname, credentials })
  if (isAway || init?.cache === 'force-cache') throw new TypeError('Failed to fetch')
  return answers[pathname]?.() ?? new Response(`from the server: ${pathname}`)
}

const pageOf = (mapId: string, build: string) => () =>
  new Response(
    `<div id="root"></div>${build}<script id="opening-data">{"map":{"summary":{"id":"${mapId}"}}}</script>`,
  )

beforeEach(() => {
  stores = new Map()
  isAway = false
  requests = []
  answers = {
    '/config': () => new Response('<div id="root"></div>no map'),
    '/map/oak-hills': pageOf('oak-hills', 'first build'),
  }
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('fetch', load)
  vi.stubGlobal('caches', {
    open: async (name: string) => stores.get(name) ?? stores.set(name, new StubCache()).get(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const versionOf = (version: string) =>
  createOfflineCopies({ version, files: [`/assets/page-${version}.js`] }, [tiles])
type Copies = ReturnType<typeof versionOf>

/** Undefined if the worker leaves the request to the browser. */
async function get(copies: Copies, address: string, mode?: 'navigate'): Promise<string | undefined> {
  // Only browsers create requests that navigate.
  const request = Object.assign(Object.create({ clone: () => request }), {
    url: at(address),
    method: 'GET',
    headers: new Headers(),
    mode: mode ?? 'cors',
  })
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) =>
    load(typeof input === 'object' && !(input instanceof Request) ? (input as Request).url : input, init),
  )
  const later: Promise<unknown>[] = []
  const answer = await copies.answering(request)?.(request, (work) => void later.push(work))
  await Promise.all(later)
  copiedAt = answer?.headers.get('copied-at')
  return answer?.text()
}

it('answers visited maps without a connection, and other screens without a map', async () => {
  const copies = versionOf('1')
  await copies.install(['/map/oak-hills'])
  isAway = true
  expect(await get(copies, '/map/oak-hills?tab=asset', 'navigate')).toContain('first build')
  expect(await get(copies, '/map/oak-hills/report?asset=h7', 'navigate')).toContain('first build')
  expect(await get(copies, '/map/elm-park', 'navigate')).toContain('no map')
  expect(await get(copies, '/assets/page-1.js')).toBe('from the server: /assets/page-1.js')
})

it('marks a copy of the report form, as it is no sign of a connection', async () => {
  const [date, form] = ['Sun, 29 Nov 2026 18:24:00 GMT', '/api/maps/oak-hills/report-form']
  answers[form] = () => Response.json({ types: [] }, { headers: { date } })
  const copies = versionOf('1')
  await copies.install(['/map/oak-hills'])
  expect([await get(copies, form), copiedAt]).toEqual(['{"types":[]}', null])
  isAway = true
  expect([await get(copies, form), copiedAt]).toEqual(['{"types":[]}', date])
})

it('asks the server first, and replaces its copies', async () => {
  const copies = versionOf('1')
  await copies.install(['/map/oak-hills'])
  answers['/map/oak-hills'] = pageOf('oak-hills', 'second build')
  expect(await get(copies, '/map/oak-hills', 'navigate')).toContain('second build')
  isAway = true
  expect(await get(copies, '/map/oak-hills', 'navigate')).toContain('second build')
})

it('notes the time of a copy in it', async () => {
  const date = 'Sun, 29 Nov 2026 18:24:00 GMT'
  const online = pageOf('oak-hills', 'first build')
  answers['/map/oak-hills'] = () => new Response(online().body, { headers: { date } })
  const copies = versionOf('1')
  await copies.install(['/map/oak-hills'])
  expect(await get(copies, '/map/oak-hills', 'navigate')).not.toContain('copied-at')
  isAway = true
  expect(await get(copies, '/map/oak-hills', 'navigate')).toContain(
    `<meta name="copied-at" content="${date}">`,
  )
})

it('requests its copies without cookies', async () => {
  await versionOf('1').install(['/map/oak-hills'])
  const documents = requests.filter(({ url }) => !url.startsWith('/assets/'))
  expect(documents.map(({ url }) => url).sort()).toEqual([
    '/api/maps/oak-hills/report-form',
    '/config',
    '/map/oak-hills',
  ])
  expect(new Set(documents.map(({ credentials }) => credentials))).toEqual(new Set(['omit']))
})

it('loads the documents again for a new version, and removes the old one', async () => {
  await versionOf('1').install(['/map/oak-hills'])
  answers['/map/oak-hills'] = pageOf('oak-hills', 'second build')
  const copies = versionOf('2')
  await copies.install([])
  await copies.removeOldVersions()
  expect([...stores.keys()]).toEqual(['poa-page-2'])
  isAway = true
  expect(await get(copies, '/map/oak-hills', 'navigate')).toContain('second build')
})

it('keeps no page of a captive portal', async () => {
  const copies = versionOf('1')
  await copies.install(['/map/oak-hills'])
  answers['/map/oak-hills'] = () => new Response('Welcome to the hotel')
  expect(await get(copies, '/map/oak-hills', 'navigate')).toBe('Welcome to the hotel')
  isAway = true
  expect(await get(copies, '/map/oak-hills', 'navigate')).toContain('first build')
})

it.each([
  ['/api/session'],
  ['/api/maps/oak-hills/features?kind=incident'],
  ['/api/maps/oak-hills/reports'],
  ['/api/maps/oak-hills/tiles/1/2/3.mvt?owner=ann'],
  ['https://other.example/1/2/3.png'],
  ['/sign-in', 'navigate'],
  ['/api/maps/oak-hills/exports/1/file', 'navigate'],
] as const)('leaves %s to the browser', async (address, mode?: 'navigate') => {
  expect(await get(versionOf('1'), address, mode)).toBeUndefined()
})

it('keeps the last tiles, and removes the oldest beyond the limit', async () => {
  const copies = versionOf('1')
  const bytes = new Uint8Array(10_000_000)
  for (const tile of [1, 2, 3, 1, 4]) {
    answers[`/1/1/${tile}.png`] = () => new Response(bytes)
    await get(copies, `${tiles}/1/1/${tile}.png`)
  }
  isAway = true
  for (const tile of [1, 3, 4])
    expect(await get(copies, `${tiles}/1/1/${tile}.png`), String(tile)).toHaveLength(bytes.length)
  await expect(get(copies, `${tiles}/1/1/2.png`)).rejects.toThrow('Failed to fetch')
})

it('keeps no tile that must not be stored', async () => {
  const copies = versionOf('1')
  answers['/1/1/1.png'] = () => new Response('tile', { headers: { 'cache-control': 'no-store' } })
  await get(copies, `${tiles}/1/1/1.png`)
  isAway = true
  await expect(get(copies, `${tiles}/1/1/1.png`)).rejects.toThrow('Failed to fetch')
})
