import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { projectFolder } from '#test/server/processes.ts'
import playwrightConfig from '../playwright.config.ts'
import type { Row } from './row.ts'
import { withSampleServer } from './sample-server.ts'

const kilobyte = 1000

/** Files of the map engine; all others load before it. */
const engineChunks = /^(map(-view)?-[\w-]{8}\.|maplibre-gl)/
/** Outlines are only loaded without a base map, as here. */
const outlineChunks = /^(counties|land)-/

export async function measurePageWeight(): Promise<Row[]> {
  const outDir = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  const result = (await build({
    root: join(projectFolder, 'web'),
    configFile: join(projectFolder, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir, write: false },
  })) as Rolldown.RolldownOutput
  rmSync(outDir, { recursive: true })

  const loaded = await filesOfMainView()
  const weights = { before: 0, engine: 0 }
  const libraries = new Map<string, number>()
  for (const output of result.output) {
    if (!loaded.has(fileName(output))) continue
    const gzipped = gzipSync(output.type === 'chunk' ? output.code : output.source).length
    weights[engineChunks.test(fileName(output)) ? 'engine' : 'before'] += gzipped
    if (output.type === 'asset') add(libraries, 'maplibre-gl (worker)', gzipped)
    else shareOut(output, gzipped, libraries)
  }
  const rounded = (bytes: number) => Math.round(bytes / kilobyte)
  const largest = [...libraries].sort(([, one], [, other]) => other - one).slice(0, 12)
  return [
    { figure: 'JavaScript before the map engine', value: rounded(weights.before), unit: 'kB', limit: 170 },
    {
      figure: 'JavaScript with the map engine',
      value: rounded(weights.before + weights.engine),
      unit: 'kB',
      limit: 620,
    },
    ...largest.map(([name, bytes]) => ({ figure: `  of it ${name}`, value: rounded(bytes), unit: 'kB' })),
  ]
}

/** Those requested before the first complete frame. Menus follow after it. */
function filesOfMainView(): Promise<Set<string>> {
  return withSampleServer(async ({ address }) => {
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(address)
    await page.locator('[data-map-state=complete]').waitFor()
    const urls = await page.evaluate(() => {
      const complete = performance.getEntriesByName('map-complete')[0]?.startTime ?? Number.NaN
      const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < complete)
      return files.map(({ name }) => name)
    })
    await browser.close()
    const names = urls.map((url) => new URL(url).pathname.split('/').at(-1) ?? '')
    return new Set(names.filter((name) => /\.m?js$/.test(name) && !outlineChunks.test(name)))
  })
}

const fileName = ({ fileName }: { fileName: string }) => fileName.replace(/^assets\//, '')

/** Assumes that a library compresses as well as its chunk. */
function shareOut(chunk: Rolldown.OutputChunk, gzipped: number, libraries: Map<string, number>) {
  const ratio = gzipped / chunk.code.length
  const rendered = Object.values(chunk.modules).reduce((sum, module) => sum + (module.renderedLength ?? 0), 0)
  for (const [id, module] of Object.entries(chunk.modules)) {
    const share = (module.renderedLength ?? 0) / Math.max(1, rendered)
    add(libraries, libraryOf(id), share * chunk.code.length * ratio)
  }
}

function libraryOf(id: string): string {
  const path = id.split('node_modules/').at(-1) ?? ''
  if (!id.includes('node_modules/')) return 'our own code'
  const [scope = '', name = ''] = path.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

function add(sums: Map<string, number>, name: string, value: number) {
  sums.set(name, (sums.get(name) ?? 0) + value)
}
