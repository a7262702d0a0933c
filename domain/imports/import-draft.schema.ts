import { z } from 'zod'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds } from '#domain/definition/kinds.ts'
import { latitude, longitude } from '#domain/geometry/geometry.schema.ts'
import { detectedLayout, foundLayout, importLayout } from '#domain/imports/import-layout.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { instant, text } from '#domain/values/common.schema.ts'

/** Files of one import: a Shapefile has up to ten. */
export const maxImportFiles = 20

/** A random UUID from the client, so that a repeated request creates one import. */
export const importDraftId = z.uuid()

/** In the states with -ing the server works, except for `receiving`: the client uploads. In others it waits for the user. */
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

/** States in which the server works in a separate process. */
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
    .min(1, 'must name a file')
    .max(maxImportFiles, `at most ${maxImportFiles} files can be imported together`),
})
export type NewImportDraft = z.infer<typeof newImportDraft>

/** A projection by its number in the EPSG register. */
export const projectionCode = z
  .string()
  .regex(/^EPSG:\d{4,6}$/, 'must be a number of the EPSG register, such as EPSG:2223')

const rowNumber = z.number().int().min(1).max(4_294_967_295)
const mostRowsChanged = 1_000

/** Users who see a column without a field; the last choice does not store it. */
export const keepers = ['everybody', 'staff', 'nobody'] as const
export type Keeper = (typeof keepers)[number]

export const missingRules = ['keep', 'mark', 'remove'] as const
export type MissingRule = (typeof missingRules)[number]

export const importSettings = z.strictObject({
  /** Id of the imported layer; null until the user selects one of several. */
  layer: text(400).nullable(),
  /** Projection of files that do not contain it. */
  projection: projectionCode.nullable(),
  /** Null until the user selects it. */
  kind: z.enum(featureKinds).nullable(),
  /** Type of all rows without a column for it. */
  type: z.enum([...incidentTypes, ...assetTypes]).nullable(),
  /** A row with the same source and id updates the same feature. */
  source: text(200).min(1, 'must not be empty'),
  /** Whether latitude comes before longitude. */
  areCoordinatesSwapped: z.boolean(),
  layout: importLayout,
  /** The column of each field that the user selected. */
  columns: z.record(text(100), text(200)),
  /** Who sees columns without a field; the default is staff. */
  keptFor: z.record(text(200), z.enum(keepers)),
  /** Meanings of words in the files, by field: a value of the field, or an empty text for no value. */
  values: z.record(text(100), z.record(text(200), text(200))),
  /** Whether to use the settings of the last import of such files. */
  takesRecipe: z.boolean(),
  /** Whether edits of imported features override the files. */
  keepsEdits: z.boolean(),
  /** Whether features that users removed are created again. */
  bringsBack: z.boolean(),
  /** Rule for features of an earlier edition of the files that are missing in this one. */
  missing: z.enum(missingRules),
  /** The only fields of existing features that change; null for all. 'geometry' is the shape, 'metadata' the columns without a field. */
  onlyFields: z.array(text(100)).max(200).nullable(),
  /** Numbers of rows that are not imported. */
  leftOut: z
    .array(rowNumber)
    .max(mostRowsChanged, `at most ${mostRowsChanged} rows can be left out one by one`),
  /** Corrected values by row number and column. */
  mended: z
    .record(
      z.string().regex(/^[1-9]\d{0,9}$/, 'must be the number of a row'),
      z.record(text(200), text(2_000)),
    )
    .refine(
      (rows) => Object.keys(rows).length <= mostRowsChanged,
      `at most ${mostRowsChanged} rows can be fixed one by one`,
    ),
})
export type ImportSettings = z.infer<typeof importSettings>

const [usualProblem, otherProblem] = ['problem', 'problem of import'] as const

/** Columns that a file of skipped rows adds. They are not imported, unless they fill a field or the user wants them. */
export const problemColumns: readonly string[] = [usualProblem, otherProblem]

/** Avoids the name of a column that the user wants. */
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

/** A projection in which the coordinates would be on or near the land of the map. */
export const suggestedProjection = z.object({
  projection: projectionCode,
  name: z.string(),
  /** Distance from the land; 0 on it. */
  kilometersOff: z.number(),
})
export type SuggestedProjection = z.infer<typeof suggestedProjection>

/** A column of the first rows. */
export const foundColumn = z.object({
  name: z.string(),
  examples: z.array(z.string()),
  /** All its values if there are few. */
  values: z.array(z.string()).nullable().default(null),
})
export type FoundColumn = z.infer<typeof foundColumn>

export const foundLayer = z.object({
  id: z.string(),
  label: z.string(),
  /** Null if only reading all of them would tell. */
  rows: z.number().int().nullable(),
  /** Type of its geometry as named by GDAL; null for tables, and for files that our own readers read. */
  geometry: z.string().nullable(),
  /** Name of the projection; null if the file does not contain it, or needs none. */
  projection: z.string().nullable(),
  needsProjection: z.boolean(),
  notices: z.array(z.string()),
})

export const foundInFiles = z.object({
  layers: z.array(foundLayer),
  /** Id of the layer that is read; null until the user selects it, or its projection. */
  layer: z.string().nullable(),
  columns: z.array(foundColumn),
  layout: foundLayout.nullable().default(null),
  /** Extent of the first rows; null if none has a location in degrees. */
  extent: importExtent.nullable(),
  /** For coordinates without a projection, the likeliest first; `extent` uses that one. */
  suggested: z.array(suggestedProjection).default([]),
  /** Whether the first rows would be on the land with latitude and longitude swapped. */
  isSwapSuggested: z.boolean().default(false),
  /** An earlier import with the same columns, whose settings are used. Another edition of its files also has its source. */
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
  outcome: z.enum(['refused', 'repaired']),
  reason: z.string(),
})

const valueOfRow = z.object({ row: z.number().int(), value: z.string() })

/** The result of an import or a preview. */
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
      /** Values that were not understood, the most frequent first. */
      unknown: z.array(z.string()).exactOptional(),
      unknownRows: z.array(valueOfRow).exactOptional(),
      /** Dates before 1800 or after 2200. */
      oddDates: z.number().int().exactOptional(),
      oddRows: z.array(valueOfRow).exactOptional(),
    }),
  ),
  /** Columns without a field that are stored with the features. */
  kept: z.array(z.string()),
  /** Problems of the file as a whole. */
  doubts: z.array(z.string()),
  /** Columns of dates that could be day first or month first. */
  unclearDates: z.array(z.object({ column: z.string(), examples: z.array(z.string()) })).exactOptional(),
  notes: z.array(z.string()).exactOptional(),
  /** The first skipped or repaired rows. */
  reported: z.array(importedRow),
  /** Rows that the user left out, and rows of features that users removed. */
  leftOut: z.number().int(),
  removedHere: z.number().int(),
  /** Features of an earlier edition that are missing in the files. */
  gone: z.number().int(),
  /** Features with edits that override the files. */
  editsKept: z.number().int(),
  /** Extent of the rows; null if none has a location. */
  extent: importExtent.nullable(),
  /** Whether the settings have changed since, so that a new preview is needed. */
  isStale: z.boolean(),
})
export type ImportOutcome = z.infer<typeof importOutcome>

/** `files` are names, empty if they were deleted. `features` counts those that it changed. */
export const newerImport = z.object({
  source: z.string(),
  files: z.array(z.string()),
  importedAt: instant,
  features: z.number().int(),
})
export type NewerImport = z.infer<typeof newerImport>

/** The result of undoing an import. `kept` counts the features that users or `newer` imports changed since. */
export const undoOutcome = z.object({
  removed: z.number().int(),
  restored: z.number().int(),
  kept: z.number().int(),
  newer: z.array(newerImport),
})
export type UndoOutcome = z.infer<typeof undoOutcome>

/** Uploaded files with their settings and results. */
export const importDraft = z.object({
  id: importDraftId,
  state: z.enum(importDraftStates),
  files: z.array(z.object({ name: z.string(), size: z.number().int(), received: z.number().int() })),
  settings: importSettings,
  /** Null until the files are examined. */
  found: foundInFiles.nullable(),
  /** The field that each column fills. */
  matches: z.record(z.string(), z.string()),
  /** Words in columns of fields with a list of choices, and the value of each; null if it is not understood. */
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
  /** Newer imports that changed the same features: the user has to undo them first, or to confirm. */
  undoFirst: z.array(newerImport),
  /** Error of the last step. */
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
  /** Maximum size of all files together. */
  mostBytes: z.number().int(),
})
export type ImportDrafts = z.infer<typeof importDrafts>
