import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  BackupError,
  BackupHash,
  type BackupHeader,
  type BackupSummary,
  type BackupTrailer,
  damaged,
  isRestoreRow,
  parseLine,
  readHeader,
  tableLine,
  trailer as trailerSchema,
  type Value,
} from './backup-format.ts'

const [brace, bracket] = [0x7b, 0x5b]

export type BackupTable = { name: string; columns: readonly string[] }
export type BackupVisitor = {
  table?(table: BackupTable): Promise<void>
  rows?(table: BackupTable, rows: Value[][]): Promise<void>
  progress?(rowCount: number): void
}

/** Throws a BackupError if the backup is invalid. Rows passed to `visitor` are valid only if this returns. */
export async function readBackup(file: FileHandle, visitor: BackupVisitor = {}): Promise<BackupSummary> {
  const hash = new BackupHash()
  const counts: Record<string, number> = {}
  let header: BackupHeader | undefined
  let table: BackupTable | undefined
  let trailer: BackupTrailer | undefined
  let rowCount = 0

  for await (const lines of readLines(file)) {
    let rows: Value[][] = []
    const giveRows = async () => {
      if (table && rows.length > 0) await visitor.rows?.(table, rows)
      rows = []
    }
    for (const line of lines) {
      if (trailer) throw damaged('it continues after its end')
      if (!header) {
        header = readHeader(textOf(line))
        hash.add(line, { isContent: false })
      } else if (line[0] === bracket && table) {
        const isWanted = visitor.rows !== undefined
        const values = isWanted || table.name === 'activity' ? readRow(line, table) : []
        hash.add(line, { isContent: !isRestoreRow(table.name, table.columns, values) })
        counts[table.name] = (counts[table.name] ?? 0) + 1
        rowCount += 1
        if (isWanted) rows.push(values)
      } else if (line[0] === brace) {
        await giveRows()
        const value = parseLine(textOf(line))
        const read = tableLine.safeParse(value)
        if (read.success) {
          table = { name: read.data.table, columns: read.data.columns }
          if (counts[table.name] !== undefined) throw damaged(`table ${table.name} is in it twice`)
          counts[table.name] = 0
          hash.add(line, { isContent: true })
          await visitor.table?.(table)
        } else {
          const end = trailerSchema.safeParse(value)
          if (!end.success) throw damaged('one of its lines is invalid')
          trailer = end.data
        }
      } else throw damaged('one of its lines is invalid')
    }
    await giveRows()
    visitor.progress?.(rowCount)
  }
  if (!header) throw new BackupError('this is not a backup of POA Land Management: it is empty')
  if (!trailer) throw cutOff()
  compare(trailer, { ...hash.finish(), rows: counts })
  return { header, trailer, rowCount }
}

const textOf = (line: Uint8Array) => Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()

function readRow(line: Uint8Array, { columns }: BackupTable): Value[] {
  const values = parseLine(textOf(line))
  if (!Array.isArray(values) || values.length !== columns.length) throw damaged('one of its rows is invalid')
  return values
}

function compare(expected: BackupTrailer, found: Omit<BackupTrailer, 'end'>) {
  for (const name of new Set([...Object.keys(expected.rows), ...Object.keys(found.rows)])) {
    const [wanted, actual] = [expected.rows[name], found.rows[name]]
    if (wanted !== actual)
      throw damaged(`it has ${actual ?? 'no'} rows of ${name} instead of ${wanted ?? 'none'}`)
  }
  if (expected.fileHash !== found.fileHash || expected.contentHash !== found.contentHash)
    throw damaged('its content does not match its hash')
}

const newline = 0x0a

const maxLineBytes = 256 * 2 ** 20

async function* readLines(file: FileHandle): AsyncGenerator<Uint8Array[]> {
  const chunkBytes = 2 ** 18
  const source = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes })
  const text = createGunzip({ chunkSize: chunkBytes })
  pipeline(source, text, () => {})
  let partial: Uint8Array[] = []
  let partialBytes = 0
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      const lines: Uint8Array[] = []
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end)
        lines.push(partial.length > 0 ? Buffer.concat([...partial, piece]) : piece)
        partial = []
        partialBytes = 0
        start = end + 1
      }
      if (start < chunk.length) partial.push(chunk.subarray(start))
      partialBytes += chunk.length - start
      if (partialBytes > maxLineBytes) throw damaged('a line has no end')
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    throw explain(error)
  }
  if (partial.length > 0) throw cutOff()
}

const cutOff = () => new BackupError('it is incomplete: its end is missing')

function explain(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return cutOff()
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check')
    return new BackupError('this is not a backup of POA Land Management')
  if (code === 'Z_DATA_ERROR') return damaged(message)
  return error
}
