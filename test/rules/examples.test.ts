import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { freePort, projectFolder } from '#test/server/processes.ts'
import { type ServerProcess, settingsOf, startServer } from '#test/server/server-process.ts'
import { findCurl, findOgrinfo, findPython, findQgis, findR } from '../../scripts/find-tools.mjs'

const run = promisify(execFile)
const folder = join(projectFolder, 'docs/examples')
const [curl, python, gdal, r, qgis] = [findCurl(), findPython(), findOgrinfo(), findR(), findQgis()]

/** The first version of QGIS that edits OGC API - Features. */
const firstEditingQgis = 33_200

/** Undefined if not installed. */
const programs: Record<string, string | undefined> = {
  'curl.sh': curl && '/bin/sh',
  'gdal.sh': gdal && '/bin/sh',
  'python.py': python,
  'r.R': r,
  'in-qgis.py': qgis?.python,
}
const optional = ['r.R', 'in-qgis.py']

const lots = Array.from({ length: 1_005 }, (_, index) => `lot-${index}`)

type Ran = {
  mapId: string
  server: ServerProcess
  authorization: string
  output: string
}
type Task = {
  stores: (mapId: string) => Parameters<typeof storeFeatures>[1]
  expects: (ran: Ran) => Promise<void> | void
}
const tasks: Record<string, Task> = {
  'read-pages': {
    stores: (mapId) =>
      lots.map((id, index) => aParcel({ mapId, id, geometry: square(-111.1 + index * 0.0001, 34, 0.0001) })),
    expects({ output }) {
      expect(wordsIn(output, /\blot-\d+\b/g)).toEqual(new Set(lots))
    },
  },
  filter: {
    stores: (mapId) => [
      anAsset({ mapId, id: 'wanted-1', status: 'offline', type: 'water' }),
      anAsset({ mapId, id: 'wanted-2', status: 'maintenance', type: 'road' }),
      anAsset({ mapId, id: 'other-1', status: 'operational', type: 'water' }),
      anAsset({ mapId, id: 'other-2', status: 'offline', type: 'facility' }),
      anAsset({ mapId, id: 'other-3', status: 'offline', type: 'water', geometry: point(-110, 34.05) }),
    ],
    expects({ output }) {
      expect(wordsIn(output, /\b(wanted|other)-\d\b/g)).toEqual(new Set(['wanted-1', 'wanted-2']))
    },
  },
  'add-and-change': {
    stores: () => [],
    async expects(ran) {
      expect(await assetsOf(ran)).toMatchObject([
        { name: 'Well 7', type: 'water', status: 'offline', version: 2 },
      ])
    },
  },
  export: {
    stores: (mapId) => [
      aParcel({ mapId, id: 'lot-7', name: 'North lot', owner: 'Harold Vasquez', area: 7.25 }),
    ],
    expects({ output }) {
      for (const word of ['lot-7', 'North lot', 'Harold Vasquez', '7.25']) expect(output).toContain(word)
    },
  },
  'import-a-file': {
    stores: () => [],
    async expects(ran) {
      const names = (await assetsOf(ran)).map(({ name }) => name)
      expect(names.toSorted()).toEqual(['North gate', 'Pond'])
    },
  },
}
/** Has its own test: server/webhooks/receivers.test.ts. */
const elsewhere = 'receive-webhook'

const examples = globSync('*/*', { cwd: folder }).toSorted()

describe('docs/examples/README.md', () => {
  it('names every file', () => {
    const links = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)]
    expect(links.map(([, path]) => path).toSorted()).toEqual(examples)
  })
})

onEngine('sqlite', 'an example of docs/examples', (createDatabase) => {
  let database: TestDatabase
  let server: ServerProcess
  beforeAll(async () => {
    database = await createDatabase()
    server = await startServer({ ...settingsOf(database.location), PORT: String(await freePort()) })
  })
  afterAll(() => server.stop())

  it('is part of the API documentation too', async () => {
    const answer = await fetch(`${server.url}/api/openapi.json`)
    const { info } = (await answer.json()) as { info: { description: string } }
    for (const path of examples) expect(info.description).toContain(readFileSync(join(folder, path), 'utf8'))
  })

  const inPrograms = examples.filter((path) => dirname(path) !== elsewhere && !path.endsWith('.csv'))
  describe.each(inPrograms)('%s', (path) => {
    const file = basename(path)
    const program = programs[file]
    const mayBeMissing = optional.includes(file) || !process.env.CI
    const isTooOld = path === 'add-and-change/in-qgis.py' && (qgis?.version ?? 0) < firstEditingQgis
    it.skipIf((program === undefined && mayBeMissing) || isTooOld)('works', async () => {
      const mapId = path.replaceAll(/\W/g, '-').toLowerCase()
      const { stores, expects } = tasks[dirname(path)] as Task
      await storeClient(database, mapId)
      await storeFeatures(database, stores(mapId))
      const { secret, bearer } = await makeToken(database, { mapIds: [mapId] })
      const output = await start(program ?? '', path, { SERVER: server.url, MAP: mapId, TOKEN: secret })
      await expects({ mapId, server, ...bearer, output })
    })
  })
})

async function start(program: string, path: string, settings: Record<string, string>): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'poa-example-'))
  try {
    cpSync(join(folder, dirname(path)), cwd, { recursive: true })
    const before = new Set(readdirSync(cwd))
    const env = {
      PATH: process.env.PATH,
      HOME: cwd,
      XDG_RUNTIME_DIR: cwd,
      QT_QPA_PLATFORM: 'offscreen',
      ...settings,
    }
    const { stdout } = await run(program, [basename(path)], { cwd, env, maxBuffer: 2 ** 26 })
    const written = readdirSync(cwd).filter((name) => !before.has(name) && /\.(csv|geojson)$/.test(name))
    return [stdout, ...written.map((name) => readFileSync(join(cwd, name), 'utf8'))].join('\n')
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const wordsIn = (text: string, words: RegExp) => new Set([...text.matchAll(words)].map(([word]) => word))

async function assetsOf({ server, mapId, authorization }: Ran): Promise<Record<string, unknown>[]> {
  const address = `${server.url}/ogc/${mapId}/collections/assets.points/items`
  const answer = await fetch(address, { headers: { authorization } })
  const { features } = (await answer.json()) as { features: { properties: Record<string, unknown> }[] }
  return features.map(({ properties }) => properties)
}
