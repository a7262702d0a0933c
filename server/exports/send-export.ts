import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ExportForm,
  type ExportFormat,
  exportFormats,
  formatFacts,
  hasForms,
  isConverted,
} from '#domain/exports/export-format.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { letLast } from '../http/connections.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { convertInTurn } from './conversion/convert-rows.ts'
import { type Exporter, type ExportItem, withLocation } from './export-columns.ts'
import { writeCsv } from './write-csv.ts'
import { writeGeoJson, writeGeoJsonLines } from './write-geojson.ts'
import { writeGpx } from './write-gpx.ts'
import { writeWorkbook } from './write-workbook.ts'

export const exportMediaTypes = [...new Set(exportFormats.map((format) => formatFacts[format].mediaType))]

const timeLimitMs = 120_000

export type ExportAnswer = { request: FastifyRequest; reply: FastifyReply }

type File<Item extends ExportItem> = {
  dataDirectory: string
  format: ExportFormat
  form: ExportForm
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
  const { exporter, format, form } = file
  if (isConverted(format)) {
    const { path, bytes, remove } = await convertInTurn(file.client, { ...file, format, timeLimitMs }, parts)
    return { stream: createReadStream(path).once('close', () => void remove()), bytes }
  }
  const written = hasForms(format) && form === 'import' ? withLocation(exporter) : exporter
  const chunks = writers[format](written, await started(parts))
  return { stream: Readable.from(chunks), bytes: null }
}

const writers = {
  geojson: writeGeoJson,
  geojsonl: writeGeoJsonLines,
  csv: writeCsv,
  xlsx: writeWorkbook,
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
