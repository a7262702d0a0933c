import { createReadStream, statSync } from 'node:fs'
import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream'
import { build } from 'vite'
import { startStubTiles } from '#test/e2e/stub-tiles.ts'
import { projectFolder } from '#test/server/processes.ts'
import { filledDatabase, withServer } from './filled-database.ts'
import { writeGeoJson } from './geojson-file.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

// The application and, under /bench, the compared pages: one origin, so that all have the same connection.

const pages = ['floor', 'geojson', 'leaflet', 'deck']
const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.geojson': 'application/geo+json',
}

export type PageServer = {
  address: string
  baseMapUrl: string
  /** Address of a file with `count` features, which is created at the first call. */
  geoJsonOf(count: number): Promise<string>
}

/** Runs `work` with the application on a filled SQLite database and blank base maps. */
export async function withPages<Result>(work: (server: PageServer) => Promise<Result>): Promise<Result> {
  const location = await filledDatabase('sqlite')
  const { folder, remove } = makeTemporaryFolder()
  const baseMap = await startStubTiles()
  const settings = {
    BASE_MAP_STREET_URL: baseMap.address('street'),
    BASE_MAP_SATELLITE_URL: baseMap.address('satellite'),
    BASE_MAP_TERRAIN_URL: baseMap.address('terrain'),
    BASE_MAP_LABELS_URL: baseMap.address('labels'),
  }
  try {
    await buildPages(folder)
    return await withServer(
      location,
      async ({ address }) => {
        await using server = await serve(folder, address)
        const files = new Map<number, Promise<void>>()
        return await work({
          address: server.address,
          baseMapUrl: baseMap.address('street'),
          async geoJsonOf(count) {
            const name = `${count}.geojson`
            if (!files.has(count)) files.set(count, writeGeoJson(join(folder, name), count))
            await files.get(count)
            return `/bench/${name}`
          },
        })
      },
      settings,
    )
  } finally {
    await baseMap.close()
    remove()
  }
}

async function buildPages(outDir: string) {
  const root = join(projectFolder, 'bench/pages')
  await build({
    root,
    configFile: false,
    base: '/bench/',
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      chunkSizeWarningLimit: 5_000,
      rolldownOptions: { input: pages.map((page) => join(root, `${page}.html`)) },
    },
  })
}

async function serve(folder: string, application: string) {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench')
    if (pathname.startsWith('/bench/')) sendFile(join(folder, normalize(pathname.slice(6))), response)
    else forward(request, response, { application, agent })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}

function sendFile(path: string, response: ServerResponse) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) {
    response.writeHead(404).end()
    return
  }
  const contentType = contentTypes[extname(path)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': contentType, 'content-length': stats.size })
  // Browsers may cancel a download.
  pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), response, () => {})
}

type Forwarding = { application: string; agent: Agent }

function forward(request: IncomingMessage, response: ServerResponse, { application, agent }: Forwarding) {
  const { method, headers } = request
  const onward = ask(new URL(request.url ?? '/', application), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => {})
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  pipeline(request, onward, () => {})
}
