import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import { FixableError } from '../domain-error.ts'

// A backup is gzipped text, one JSON value a line:
//   {"project":"poa-land-management","format":1,"createdAt":"...","engine":"sqlite","migrations":["001-initial"]}
//   {"table":"maps","columns":["created_at","map_id","updated_at"]}
//   [1767225600000,"oak-hills",1767225600000]            a row of that table, in the order of its key
//   {"end":true,"rows":{"maps":1},"contentHash":"...","fileHash":"..."}
// It contains nothing that is specific to an engine.

export class BackupError extends FixableError {}

export const project = 'poa-land-management'
export const formatVersion = 1

const hash = z.string().regex(/^[0-9a-f]{64}$/)

const header = z.object({
  project: z.literal(project),
  format: z.literal(formatVersion),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).min(1),
})
export type BackupHeader = z.infer<typeof header>

export const tableLine = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) })

export const trailer = z.strictObject({
  end: z.literal(true),
  rows: z.record(z.string(), z.number().int().min(0)),
  contentHash: hash,
  fileHash: hash,
})
export type BackupTrailer = z.infer<typeof trailer>

export type BackupSummary = { header: BackupHeader; trailer: BackupTrailer; rowCount: number }

export function readHeader(line: string): BackupHeader {
  const value = parseLine(line)
  const { project: found, format } = (value ?? {}) as Record<string, unknown>
  if (found !== project) throw new BackupError('this is not a backup of POA Land Management')
  if (typeof format === 'number' && format > formatVersion)
    throw new BackupError('it was made by a newer version of this program; update the program first')
  const read = header.safeParse(value)
  if (!read.success) throw damaged('its first line is invalid')
  return read.data
}

export const damaged = (what: string) => new BackupError(`it is damaged or was modified: ${what}`)

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export type Value = string | number | null

/** Throws for a value that a restore would change. */
export function encodeRow(table: string, columns: readonly string[], row: Record<string, unknown>): string {
  const values = columns.map((column) => {
    const value = row[column]
    if (typeof value === 'string' || value === null || Number.isFinite(value)) return value
    throw new BackupError(
      `${table}.${column} holds a value that a backup cannot contain: ${typeof value} ${value}`,
    )
  })
  return JSON.stringify(values)
}

export const restoreAction: ActivityAction = 'database.restored'

/** Rows that the content hash excludes, so that a restore does not change it. */
export function isRestoreRow(table: string, columns: readonly string[], values: readonly unknown[]) {
  return table === 'activity' && values[columns.indexOf('action')] === restoreAction
}

export class BackupHash {
  private readonly content = createHash('sha256')
  private readonly file = createHash('sha256')

  add(line: string | Uint8Array, { isContent }: { isContent: boolean }) {
    this.file.update(line).update('\n')
    if (isContent) this.content.update(line).update('\n')
  }

  finish() {
    return { contentHash: this.content.digest('hex'), fileHash: this.file.digest('hex') }
  }
}
