import { z } from 'zod'
import {
  allColumns,
  type ExportForm,
  type ExportFormat,
  exportFormats,
  exportForms,
  formatFacts,
  hasForms,
} from '#domain/exports/export-format.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { localDay } from '#domain/values/time-zones.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { readCustomFields } from '../features/custom-fields/custom-fields.queries.ts'
import { completeFilter, featureFilter } from '../features/lists/feature-filter.ts'
import { countMatching, withoutUselessBox } from '../features/lists/feature-matches.queries.ts'
import { requireColumns, type Sight, type Viewer } from '../features/rows/sight.ts'
import { badParameter } from '../http/problem.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { type Exporter, exportedNames, exporterFor } from './export-columns.ts'
import type { RowQuery } from './export-rows.queries.ts'
import { readingExporterFor } from './reading-columns.ts'

/** More than any kind has, custom fields included. */
const maxColumns = 200

export const exportQuery = z.strictObject({
  ...featureFilter,
  sort: z
    .enum(featureSorts)
    .optional()
    .meta({ description: 'As in the list of features. Defaults to list order' }),
  format: z.enum(exportFormats).meta({
    description: exportFormats.map((format) => `${format}: ${formatFacts[format].label}.`).join(' '),
  }),
  form: z
    .enum(exportForms)
    .default('import')
    .meta({
      description:
        'Of CSV and Excel. `import`: names and values that imports read, with geometry. `reading`: columns, labels, and ' +
        'words of the table, with local times and without geometry; cannot be imported as changes. Columns without a ' +
        'place in the table (`metadata`, lists) are left out',
    }),
  columns: z
    .string()
    .max(10_000)
    .transform((text) => [...new Set(text.split(',').filter((name) => name !== ''))])
    .pipe(z.array(z.string()).max(maxColumns, `must have at most ${maxColumns} columns`))
    .optional()
    .meta({
      description:
        'Column names in order, separated by commas: paths of fields (owner,zoning.type,own.gateCode), ' +
        '`parcel`, `nextDue`, and `metadata`. Default: all columns that you can see. `all`: all columns for staff. A column ' +
        'that you cannot see causes a 401 or 403. `id`, `kind`, and `mapId` are always included.',
    }),
})
export type ExportQuery = z.infer<typeof exportQuery>

const ids = z.array(featureId).max(maxSelected, `must have at most ${maxSelected} ids`)

export const exportSelection = z
  .strictObject({ ids: ids.min(1, 'must have at least one id').optional(), except: ids.optional() })
  .refine(
    ({ ids, except }) => (ids === undefined) !== (except === undefined),
    'must have either ids or except',
  )
export type ExportSelection = z.infer<typeof exportSelection>

export type ExportPlan = {
  rows: RowQuery
  exporter: Exporter
  name: string
}

export async function planExport(
  database: Database,
  { mapId, sight, refuseHidden }: Viewer,
  { sort, format, form, columns, ...filters }: ExportQuery,
  selection: ExportSelection | undefined,
): Promise<ExportPlan> {
  const customFields = await readCustomFields(database.read, mapId)
  const namesFor = (one: Sight) => exportedNames(customFields, one)
  const isAll = columns?.length === 1 && columns[0] === allColumns
  const names = isAll ? [...namesFor('everything')] : (columns ?? [])
  await requireColumns({ sight, refuseHidden }, { parameter: 'columns', names, namesFor })
  requireForm(format, form)
  const timeZone = await readTimeZone(database, mapId)
  const columnQuery = { kinds: filters.kind, names: isAll ? undefined : columns, customFields, sight }
  const exporter = form === 'reading' ? readingExporterFor(columnQuery, timeZone) : exporterFor(columnQuery)
  const filter = await withoutUselessBox(
    database,
    mapId,
    await completeFilter(database, { mapId, sight }, filters),
  )
  const rows = { filter, sort, isSelected: selection && isSelectedBy(selection) }
  return { rows, exporter, name: exportName({ mapId, timeZone }, exporter.title.toLowerCase(), form) }
}

export function requireForm(format: ExportFormat, form: ExportForm) {
  if (form === 'reading' && !hasForms(format)) throw badParameter('query', 'form', 'is only for csv and xlsx')
}

export async function countExported(
  database: Database,
  client: QueueClient,
  { rows }: ExportPlan,
  selection: ExportSelection | undefined,
): Promise<number> {
  if (selection?.ids) return selection.ids.length
  return database.readInWorker(client, (read) => countMatching(database, read, client.mapId, rows.filter))
}

function isSelectedBy({ ids, except }: ExportSelection): (id: string) => boolean {
  const [included, excluded] = [ids && new Set(ids), new Set(except)]
  return (id) => (included ? included.has(id) : !excluded.has(id))
}

type Dated = { mapId: string; timeZone: string }

export const exportName = ({ mapId, timeZone }: Dated, what: string, form: ExportForm) =>
  `${mapId}-${what}-${localDay(Date.now(), timeZone)}${form === 'reading' ? '-for-reading' : ''}`
