import { z } from 'zod'
import { kindLabels } from '#domain/definition/kinds.ts'
import { allColumns, exportFormats, formatFacts } from '#domain/exports/export-format.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { type FeatureFilter, featureFilter, filterInSight } from '../features/lists/feature-filter.ts'
import { countMatching, withoutIdleBox } from '../features/lists/feature-matches.queries.ts'
import { readOwnFields } from '../features/own-fields/own-fields.queries.ts'
import { requireColumns, type Sight, type Viewer } from '../features/rows/sight.ts'
import { type Exporter, exportedNames, exporterFor } from './export-columns.ts'
import type { RowsWish } from './export-rows.queries.ts'

/** More than any kind has, with all that a client may add. */
const maxColumns = 200

/** What is exported, and as what: all that the list understands. */
export const exportQuestion = z.strictObject({
  ...featureFilter,
  sort: z.enum(featureSorts).optional().meta({ description: 'As of the list; list order without' }),
  format: z.enum(exportFormats).meta({
    description: exportFormats.map((format) => `${format}: ${formatFacts[format].label}.`).join(' '),
  }),
  columns: z
    .string()
    .max(10_000)
    .transform((text) => [...new Set(text.split(',').filter((name) => name !== ''))])
    .pipe(z.array(z.string()).max(maxColumns, `must be ${maxColumns} columns at most`))
    .optional()
    .meta({
      description:
        'Names of columns in their order, separated by commas: paths of fields (owner,zoning.type,own.gateCode), ' +
        '`parcel`, `nextDue` and `metadata`. Without: all that the caller may see. `all`: all that staff see. A column ' +
        'that the caller may not see is refused with a 401 or 403, never left out. `id`, `kind` and `mapId` are always there.',
    }),
})
export type ExportQuestion = z.infer<typeof exportQuestion>

const ids = z.array(featureId).max(maxSelected, `must be ${maxSelected} at most`)

/** Of what a question means only these, or all but these. */
export const exportSelection = z
  .strictObject({ ids: ids.min(1, 'must name a feature').optional(), except: ids.optional() })
  .refine(({ ids, except }) => (ids === undefined) !== (except === undefined), 'must be either ids or except')
export type ExportSelection = z.infer<typeof exportSelection>

/** A question that can be answered. */
export type ExportPlan = {
  wish: RowsWish
  exporter: Exporter
  /** The file's, without its ending. */
  name: string
}

/** Throws for a column that does not exist, or that the caller may not see. */
export async function planExport(
  database: Database,
  { mapId, sight, refuseHidden }: Viewer,
  { sort, format: _, columns, ...asked }: ExportQuestion,
  selection: ExportSelection | undefined,
): Promise<ExportPlan> {
  const ownFields = await readOwnFields(database.read, mapId)
  const namesFor = (one: Sight) => exportedNames(ownFields, one)
  const isAll = columns?.length === 1 && columns[0] === allColumns
  const names = isAll ? [...namesFor('everything')] : (columns ?? [])
  await requireColumns({ sight, refuseHidden }, { parameter: 'columns', names, namesFor })
  const exporter = exporterFor({ kinds: asked.kind, asked: isAll ? undefined : columns, ownFields, sight })
  const filter = await withoutIdleBox(database, mapId, filterInSight(asked, sight))
  const wish = { filter, sort, isMeant: selection && meantBy(selection) }
  return { wish, exporter, name: fileNameOf(mapId, asked) }
}

/** How many features these are at most: of what is selected or left out some may be gone. */
export async function countExported(
  database: Database,
  asker: QueueClient,
  { wish }: ExportPlan,
  selection: ExportSelection | undefined,
): Promise<number> {
  if (selection?.ids) return selection.ids.length
  return database.readInWorker(asker, (read) => countMatching(database, read, asker.mapId, wish.filter))
}

function meantBy({ ids, except }: ExportSelection): (id: string) => boolean {
  const [chosen, left] = [ids && new Set(ids), new Set(except)]
  return (id) => (chosen ? chosen.has(id) : !left.has(id))
}

/** The map, the kind and the day: 'oak-hills-assets-2026-05-21'. */
function fileNameOf(mapId: string, { kind }: Pick<FeatureFilter, 'kind'>): string {
  const what = kind?.length === 1 && kind[0] ? kindLabels[kind[0]].many.toLowerCase() : 'features'
  return exportName(mapId, what)
}

export const exportName = (mapId: string, what: string) =>
  `${mapId}-${what}-${new Date().toISOString().slice(0, 10)}`
