import { z } from 'zod'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds } from '#domain/definition/kinds.ts'
import { latitude, longitude } from '#domain/geometry/geometry.schema.ts'
import { detectedLayout, foundLayout, importLayout } from '#domain/imports/import-layout.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { instant, text } from '#domain/values/common.schema.ts'

/** A Shapefile has up to ten. */
export const maxImportFiles = 20

/** A random UUID from the client, so that a repeated request creates one import. */
export const importDraftId = z.uuid()

/** In the -ing states the server works, except `receiving`, where the client uploads. */
export const importDraftStates = [
  'receiving',
  'examining',
  'refused',
  'examined',
  'trying',
  'tried',
  'importing',
  'imported',
  'undoing',
  'undone',
] as const
export type ImportDraftState = (typeof importDraftStates)[number]

export const importSteps = ['examining', 'trying', 'importing', 'undoing'] as const
export type ImportStep = (typeof importSteps)[number]

export const isImportStep = (state: ImportDraftState): state is ImportStep =>
  importSteps.some((step) => step === state)

export const newImportDraft = z.strictObject({
  id: importDraftId,
  files: z
    .array(
      z.strictObject({
        name: text(255).min(1, 'must not be empty'),
        size: z.number().int().min(1, 'the file is empty'),
      }),
    )
    .min(1, 'must list at least one file')
    .max(maxImportFiles, `at most ${maxImportFiles} files can be imported together`),
})
export type NewImportDraft = z.infer<typeof newImportDraft>

/** EPSG code. */
export const projectionCode = z.string().regex(/^EPSG:\d{4,6}$/, 'must be an EPSG code, such as EPSG:2223')

const rowNumber = z.number().int().min(1).max(4_294_967_295)
const maxRowsChanged = 1_000

/** The last choice does not store the column. */
export const keepers = ['everybody', 'staff', 'nobody'] as const
export type Keeper = (typeof keepers)[number]

export const missingRules = ['keep', 'mark', 'remove'] as const
export type MissingRule = (typeof missingRules)[number]

export const importSettings = z.strictObject({
  layer: text(400).nullable(),
  projection: projectionCode.nullable(),
  kind: z.enum(featureKinds).nullable(),
  type: z.enum([...incidentTypes, ...assetTypes]).nullable(),
  /** Rows with the same source and id update the same feature. */
  source: text(200).min(1, 'must not be empty'),
  /** True for latitude before longitude. */
  areCoordinatesSwapped: z.boolean(),
  layout: importLayout,
  /** By field. */
  columns: z.record(text(100), text(200)),
  /** By column; staff by default. */
  keptFor: z.record(text(200), z.enum(keepers)),
  /** By field: field values by word in the files. Empty text is no value. */
  values: z.record(text(100), z.record(text(200), text(200))),
  takesRecipe: z.boolean(),
  keepsEdits: z.boolean(),
  bringsBack: z.boolean(),
  missing: z.enum(missingRules),
  /** Null changes all fields. 'geometry' is the shape, 'metadata' the columns without a field. */
  onlyFields: z.array(text(100)).max(200).nullable(),
  leftOut: z
    .array(rowNumber)
    .max(maxRowsChanged, `at most ${maxRowsChanged} rows can be excluded individually`),
  mended: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/, 'must be a row number'), z.record(text(200), text(2_000)))
    .refine(
      (rows) => Object.keys(rows).length <= maxRowsChanged,
      `at most ${maxRowsChanged} rows can be fixed individually`,
    ),
})
export type ImportSettings = z.infer<typeof importSettings>

const [usualProblem, otherProblem] = ['problem', 'problem of import'] as const

export const problemColumns: readonly string[] = [usualProblem, otherProblem]

export function problemColumnFor({ columns, keptFor }: Pick<ImportSettings, 'columns' | 'keptFor'>): string {
  const isWanted =
    Object.values(columns).includes(usualProblem) || (keptFor[usualProblem] ?? 'nobody') !== 'nobody'
  return isWanted ? otherProblem : usualProblem
}

export const defaultImportSettings: Omit<ImportSettings, 'source'> = {
  layer: null,
  projection: null,
  kind: null,
  type: null,
  areCoordinatesSwapped: false,
  layout: detectedLayout,
  columns: {},
  keptFor: {},
  values: {},
  takesRecipe: true,
  keepsEdits: true,
  bringsBack: false,
  missing: 'keep',
  onlyFields: null,
  leftOut: [],
  mended: {},
}

const importExtent = z.object({ west: longitude, south: latitude, east: longitude, north: latitude })

export const suggestedProjection = z.object({
  projection: projectionCode,
  name: z.string(),
  kilometersOff: z.number(),
})
export type SuggestedProjection = z.infer<typeof suggestedProjection>

export const foundColumn = z.object({
  name: z.string(),
  examples: z.array(z.string()),
  values: z.array(z.string()).nullable().default(null),
})
export type FoundColumn = z.infer<typeof foundColumn>

export const foundLayer = z.object({
  id: z.string(),
  label: z.string(),
  rows: z.number().int().nullable(),
  geometry: z.string().nullable(),
  projection: z.string().nullable(),
  needsProjection: z.boolean(),
  notices: z.array(z.string()),
})

export const foundInFiles = z.object({
  layers: z.array(foundLayer),
  layer: z.string().nullable(),
  columns: z.array(foundColumn),
  layout: foundLayout.nullable().default(null),
  extent: importExtent.nullable(),
  /** Likeliest first; `extent` uses the first. */
  suggested: z.array(suggestedProjection).default([]),
  isSwapSuggested: z.boolean().default(false),
  recipe: z
    .object({ source: z.string(), importedAt: instant, isEdition: z.boolean() })
    .nullable()
    .default(null),
})
export type FoundInFiles = z.infer<typeof foundInFiles>

export const importProgress = z.object({
  phase: z.enum(['reading', 'comparing', 'publishing']),
  rows: z.number().int(),
  bytesRead: z.number().int(),
  totalBytes: z.number().int().nullable(),
})

export const importedRow = z.object({
  rowNumber: z.number().int(),
  line: z.number().int().nullable(),
  sourceId: z.string().nullable(),
  name: z.string().nullable().exactOptional(),
  outcome: z.enum(['refused', 'repaired']),
  reason: z.string(),
})

const valueOfRow = z.object({ row: z.number().int(), value: z.string() })

export const importOutcome = z.object({
  rows: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
  repaired: z.number().int(),
  filled: z.array(
    z.object({
      field: z.string(),
      column: z.string(),
      rows: z.number().int(),
      notUnderstood: z.number().int(),
      unknown: z.array(z.string()).exactOptional(),
      unknownRows: z.array(valueOfRow).exactOptional(),
      /** Before 1800 or after 2200. */
      oddDates: z.number().int().exactOptional(),
      oddRows: z.array(valueOfRow).exactOptional(),
    }),
  ),
  kept: z.array(z.string()),
  doubts: z.array(z.string()),
  unclearDates: z.array(z.object({ column: z.string(), examples: z.array(z.string()) })).exactOptional(),
  notes: z.array(z.string()).exactOptional(),
  /** The column that looks like ids, if none is used as such. */
  likelyId: z.string().nullable().exactOptional(),
  reported: z.array(importedRow),
  leftOut: z.number().int(),
  removedHere: z.number().int(),
  gone: z.number().int(),
  editsKept: z.number().int(),
  extent: importExtent.nullable(),
  isStale: z.boolean(),
})
export type ImportOutcome = z.infer<typeof importOutcome>

export const newerImport = z.object({
  source: z.string(),
  files: z.array(z.string()),
  importedAt: instant,
  features: z.number().int(),
})
export type NewerImport = z.infer<typeof newerImport>

/** `kept` counts features changed since, by users or by `newer` imports. */
export const undoOutcome = z.object({
  removed: z.number().int(),
  restored: z.number().int(),
  kept: z.number().int(),
  newer: z.array(newerImport),
})
export type UndoOutcome = z.infer<typeof undoOutcome>

export const importDraft = z.object({
  id: importDraftId,
  state: z.enum(importDraftStates),
  files: z.array(z.object({ name: z.string(), size: z.number().int(), received: z.number().int() })),
  settings: importSettings,
  found: foundInFiles.nullable(),
  matches: z.record(z.string(), z.string()),
  words: z.array(
    z.object({
      field: z.string(),
      column: z.string(),
      values: z.array(z.object({ said: z.string(), becomes: z.string().nullable() })),
    }),
  ),
  progress: importProgress.nullable(),
  outcome: importOutcome.nullable(),
  undone: undoOutcome.nullable(),
  undoFirst: z.array(newerImport),
  problem: z.string().nullable(),
  startedBy: z.string(),
  startedAt: instant,
})
export type ImportDraft = z.infer<typeof importDraft>

export const importDraftSummary = importDraft.omit({
  found: true,
  settings: true,
  matches: true,
  words: true,
  undoFirst: true,
})
export type ImportDraftSummary = z.infer<typeof importDraftSummary>

export const importDrafts = z.object({
  items: z.array(importDraftSummary),
  mostBytes: z.number().int(),
})
export type ImportDrafts = z.infer<typeof importDrafts>
