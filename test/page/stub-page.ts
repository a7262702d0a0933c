import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const stubScript = `console.log('page')\n`.repeat(100)

/** A minimal built page; call `remove` afterwards. */
export function makeStubPage(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'poa-page-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><meta name="nonce" content="__NONCE__"><title>POA</title></head></html>',
  )
  writeFileSync(join(folder, 'assets/page-1a2b3c.js'), stubScript)
  writeFileSync(join(folder, 'assets/page-1a2b3c.js.gz'), gzipSync(stubScript))
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'service-worker.js'), 'const worker = 1\n')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
