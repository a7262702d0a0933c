import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cellOf, workbookOf } from '#test/spreadsheets.ts'
import { zipOf } from '#test/zip-of.ts'
import { outageOf } from '../../database/outage.ts'
import { makeReadable } from './readable-file.ts'

function mountSmall(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'poa-mount-'))
  const isMounted = mountSmall(folder)
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

const cells = Array.from({ length: 4_000 }, (_, index) => index + 2)
const rows = cells
  .map((row) => `<row r="${row}">${cellOf(`A${row}`, `name ${row}`.repeat(8))}</row>`)
  .join('')
const workbook = workbookOf(`<row r="1">${cellOf('A1', 'id')}</row>${rows}`)
const text = Array.from({ length: 40_000 }, (_, index) => (index * 7919) % 100_003).join('\n')

// A disk of 128 KB; only root can make one.
describe.runIf(mayMount())('a full disk', () => {
  it.each([
    ['while unpacking', 'lots.zip', zipOf([{ name: 'lots.csv', bytes: text }])],
    ['while GDAL converts', 'lots.xlsx', workbook],
  ])('%s is an outage, not a fault of the file', async (_when, name, content) => {
    const [folder, disk] = [makeFolder(), makeFolder()]
    mountSmall(disk)
    onTestFinished(() => void execFileSync('umount', [disk]))
    const path = join(folder, name)
    writeFileSync(path, content)
    const error = await makeReadable([path], join(disk, 'work'), { layer: null, projection: null }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(outageOf(error)).toBe('filesFull')
  })
})
