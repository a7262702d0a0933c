import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LayerChoice, makeReadable } from '#server/imports/conversion/readable-file.ts'
import { chunksOfFile, readRecords } from '#server/imports/formats/read-records.ts'
import type { SourceRecord } from '#server/imports/formats/source-record.ts'
import { usualImportLimits } from '#server/settings/import-limits.ts'

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-readable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(makeFolder(), name)
  writeFileSync(path, content)
  return path
}

export async function readFiles(
  paths: string[],
  choice: Partial<LayerChoice> = {},
  limits: Partial<typeof usualImportLimits> = {},
) {
  const { layers, chosen } = await makeReadable(
    paths,
    makeFolder(),
    { layer: null, projection: null, ...choice },
    { ...usualImportLimits, ...limits },
  )
  const path = chosen?.file?.path
  return { layers, chosen, path, text: path === undefined ? '' : readFileSync(path, 'utf8') }
}

export const readContent = (
  name: string,
  content: string | Uint8Array,
  ...options: Parameters<typeof readFiles> extends [unknown, ...infer Rest] ? Rest : never
) => readFiles([fileOf(name, content)], ...options)

export async function recordsAt(path: string | undefined): Promise<SourceRecord[]> {
  const records: SourceRecord[] = []
  if (path !== undefined)
    for await (const record of readRecords({ name: basename(path), chunks: chunksOfFile(path) }, () => {}))
      records.push(record)
  return records
}
