import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { filesForOffline, findChunkCircle, findExcessWeight } from './page-chunks.mjs'

it('finds chunks that import each other', () => {
  expect(findChunkCircle({ a: { imports: ['b'] }, b: { imports: ['c'] }, c: {} })).toBeNull()
  expect(findChunkCircle({ a: { imports: ['b'] }, b: { imports: ['c'] }, c: { imports: ['b'] } })).toEqual([
    'b',
    'c',
    'b',
  ])
})

it('weighs what the first page needs, apart from the map engine', () => {
  const bytes = (kilobytes: number) => new Uint8Array(randomBytes(1000 * kilobytes))
  const bundle = {
    'page-1.js': { type: 'chunk', name: 'page', code: 'x'.repeat(50_000) },
    'map-page-1.js': { type: 'chunk', name: 'map-page', source: bytes(3) },
    'page-menu-1.js': { type: 'chunk', name: 'page-menu', source: bytes(100) },
    'maplibre-gl-worker-1.js': { type: 'asset', source: bytes(8) },
  }
  expect(findExcessWeight(bundle, { page: 4, map: 9 })).toBeNull()
  expect(findExcessWeight(bundle, { page: 2, map: 7 })).toBe('page: 3 of 2 kB, map: 8 of 7 kB')
})

it('names the files that reports without a connection need', () => {
  const bundle = {
    'new-report-1.js': {
      name: 'new-report',
      imports: ['form-1.js'],
      viteMetadata: { importedCss: new Set(['new-report-1.css']) },
    },
    'form-1.js': { name: 'form', imports: [] },
    'land-panel-1.js': { name: 'land-panel', imports: ['form-1.js'] },
    'maplibre-gl-worker-1.js': {},
    'new-report-1.css': { name: 'new-report' },
  }
  expect(filesForOffline(bundle)).toEqual([
    'form-1.js',
    'maplibre-gl-worker-1.js',
    'new-report-1.css',
    'new-report-1.js',
  ])
})
