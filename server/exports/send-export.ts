import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { quoteCell, quoteFormula } from '#domain/exports/csv-cell.ts'
import { type ExportFormat, exportFormats, formatFacts, isConverted } from '#domain/exports/export-format.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { letLast } from '../http/connections.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { convertInTurn } from './conversion/convert-rows.ts'
import { type Exporter, type ExportItem, locationColumns, locationOf } from './export-columns.ts'
import { writeGeoJson, writeGeoJsonLines } from './write-geojson.ts'
import { writeGpx } from './write-gpx.ts'

export const exportMediaTypes = [...new Set(exportFormats.map((format) => formatFacts[format].mediaType))]

const timeLimitMs = 120_000

export type ExportAnswer = { request: FastifyRequest; reply: FastifyReply }

type File<Item extends ExportItem> = {
  dataDirectory: string
  format: ExportFormat
  exporter: Exporter<Item>
  name: string
  client: QueueClient
}

export async function sendExport<Item extends ExportItem>(
  { request, reply }: ExportAnswer,
  file: File<Item>,
  parts: AsyncGenerator<Item[]>,
): Promise<FastifyReply> {
  const { format, name } = file
  letLast(request)
  const { stream, bytes } = await bytesOf(file, parts)
  return sendFile(reply, { stream, bytes, format, fileName: `${name}.${formatFacts[format].ending}` })
}

type Bytes = { stream: Readable; bytes: number | null }

export function sendFile(
  reply: FastifyReply,
  { stream, bytes, format, fileName }: Bytes & { format: ExportFormat; fileName: string },
): FastifyReply {
  const { mediaType } = formatFacts[format]
  forOnePerson(reply)
  if (bytes !== null) reply.header('content-length', bytes)
  return reply
    .header('content-type', mediaType === 'text/csv' ? 'text/csv; charset=utf-8' : mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(stream)
}

async function bytesOf<Item extends ExportItem>(
  file: File<Item>,
  parts: AsyncGenerator<Item[]>,
): Promise<Bytes> {
  const { exporter, format } = file
  if (isConverted(format)) {
    const { path, bytes, remove } = await convertInTurn(file.client, { ...file, format, timeLimitMs }, parts)
    return { stream: createReadStream(path).once('close', () => void remove()), bytes }
  }
  const chunks = writers[format](exporter, await started(parts))
  return { stream: Readable.from(chunks), bytes: null }
}

const writers = {
  geojson: writeGeoJson,
  geojsonl: writeGeoJsonLines,
  csv: writeCsv,
  gpx: writeGpx,
} as const

/** Turns an error before the first batch into an error response instead of a truncated file. */
async function started<Item>(parts: AsyncGenerator<Item[]>): Promise<AsyncIterable<Item[]>> {
  const first = await parts.next()
  async function* all() {
    try {
      if (!first.done) yield first.value
      yield* parts
    } finally {
      await parts.return(undefined)
    }
  }
  return all()
}

const byteOrderMark = '\ufeff'

async function* writeCsv<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + toLine([...exporter.columns.map(({ name }) => name), ...locationColumns])
  for await (const rows of parts)
    yield rows.map((row) => toLine([...exporter.valuesOf(row), ...locationOf(row)])).join('')
}

const toLine = (values: readonly unknown[]) => `${values.map(toCell).join(',')}\r\n`

/** Quotes only text: a negative number is not a formula. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return quoteCell(quoteFormula(typeof value === 'string' ? value : JSON.stringify(value)))
}
