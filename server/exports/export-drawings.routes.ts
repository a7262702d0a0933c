import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Person } from '#domain/access/session.schema.ts'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { Drawing, DrawingGeometry } from '#domain/drawings/drawing.schema.ts'
import { withWinding } from '#domain/drawings/with-winding.ts'
import { drawingToolLabels } from '#domain/map-configuration/map-constants.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { localTime } from '#domain/values/time-zones.ts'
import type { Database } from '../database/database.ts'
import { type DrawingPosition, listDrawings } from '../drawings/drawings.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import type { Exporter, ExportItem } from './export-columns.ts'
import { exportName, exportQuery, requireForm } from './export-query.ts'
import { exportMediaTypes, sendExport } from './send-export.ts'

type DrawnItem = ExportItem & { drawing: Drawing }

/** The names that the drawing tools use in their own files, after the identity columns of every export. */
const exporterForImport: Exporter<DrawnItem> = {
  title: 'Drawings',
  columns: [
    ...(['id', 'kind', 'mapId', 'name', 'note', 'author'] as const).map((name) => ({
      name,
      type: 'text' as const,
    })),
    { name: 'createdAt', type: 'instant' },
    { name: 'updatedBy', type: 'text' },
    { name: 'updatedAt', type: 'instant' },
  ],
  valuesOf({ drawing }) {
    const { id, kind, mapId, name, note, author, createdAt, updatedBy, updatedAt } = drawing
    return [id, kind, mapId, name || null, note || null, author, createdAt, updatedBy, updatedAt]
  },
}

const readingExporter = (timeZone: string): Exporter<DrawnItem> => ({
  title: 'Drawings',
  columns: [
    ...['Kind', 'Name', 'Note', 'Author'].map((name) => ({ name, type: 'text' as const })),
    { name: 'Created', type: 'local' },
    { name: 'Changed by', type: 'text' },
    { name: 'Changed', type: 'local' },
  ],
  valuesOf({ drawing }) {
    const { kind, name, note, author, createdAt, updatedBy, updatedAt } = drawing
    const [created, changed] = [createdAt, updatedAt].map((at) => localTime(Date.parse(at), timeZone))
    return [drawingToolLabels[kind], name || null, note || null, author, created, updatedBy, changed]
  },
})

const shapes: Record<DrawingGeometry['type'], FeatureShape> = {
  Point: 'point',
  LineString: 'line',
  Polygon: 'polygon',
}

const drawingsAtOnce = 500

export const exportDrawingsRoutes: FastifyPluginCallbackZod<{ database: Database; dataDirectory: string }> = (
  app,
  { database, dataDirectory },
  done,
) => {
  app.get('/api/maps/:mapId/drawings/export', {
    exposeHeadRoute: false,
    config: { access: 'staff', mediaTypes: exportMediaTypes },
    schema: {
      summary: 'Export drawings of a map',
      description: 'Exports all drawings, oldest first, in the formats of `GET /api/maps/{mapId}/export`.',
      tags: ['drawings'],
      params: z.object({ mapId }),
      querystring: exportQuery.pick({ format: true, form: true }),
    },
    async handler(request, reply) {
      const { params, query, person, signal } = request
      const { mapId } = params
      const { format, form } = query
      requireForm(format, form)
      const timeZone = await readTimeZone(database, mapId)
      const name = exportName({ mapId, timeZone }, 'drawings', form)
      const client = { mapId, signal, isStaff: true }
      const exporter = form === 'reading' ? readingExporter(timeZone) : exporterForImport
      const file = { dataDirectory, format, form, exporter, name, client }
      return sendExport({ request, reply }, file, readDrawn(database, { mapId, person }))
    },
  })
  done()
}

async function* readDrawn(
  database: Database,
  author: { mapId: string; person: Person },
): AsyncGenerator<DrawnItem[]> {
  for (let after: DrawingPosition | null | undefined; after !== null; ) {
    const { items, last } = await listDrawings(database, author, { limit: drawingsAtOnce, after })
    yield items.map((drawing) => ({
      drawing,
      id: drawing.id,
      name: drawing.name,
      description: drawing.note,
      shape: shapes[drawing.geometry.type],
      geometry: JSON.stringify(withWinding(drawing.geometry)),
    }))
    after = last
  }
}
