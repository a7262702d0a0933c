import { z } from 'zod'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds } from '#domain/definition/kinds.ts'
import { latitude, longitude } from '#domain/geometry/geometry.schema.ts'
import { detectedLayout, foundLayout, importLayout } from '#domain/imports/import-layout.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { instant, text } from '#domain/values/common.schema.ts'

/** Files that come together: a Shapefile has up to ten. */
export const maxImportFiles = 20

/** A random UUID of the sender's: what is sent twice is there once. */
export const importDraftId = z.uuid()

/**
 * How far it has come. The server is at work in those that end with -ing; receiving is the sender's turn, and in the others
 * it is a person's.
 */
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

/** What the server is at, in a process of its own. */
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
    .max(maxImportFiles, `at most ${maxImportFiles} files come together`),
})
export type NewImportDraft = z.infer<typeof newImportDraft>

/** A projection by its number in the EPSG register. */
export const projectionCode = z
  .string()
  .regex(/^EPSG:\d{4,6}$/, 'must be a number of the EPSG register, such as EPSG:2223')

const rowNumber = z.number().int().min(1).max(4_294_967_295)
/** More is mended in the files themselves. */
const mostRowsChanged = 1_000

/** For whom a column is kept beside the fields. */
export const keepers = ['everybody', 'staff', 'nobody'] as const
export type Keeper = (typeof keepers)[number]

export const missingRules = ['keep', 'mark', 'remove'] as const
export type MissingRule = (typeof missingRules)[number]

/** What people say of the files. */
export const importSettings = z.strictObject({
  /** Which of the layers is imported, by its id; null as long as nobody has chosen among several. */
  layer: text(400).nullable(),
  /** What the coordinates are in, where the files do not say it. */
  projection: projectionCode.nullable(),
  /** What each row becomes; null as long as nobody has said it. */
  kind: z.enum(featureKinds).nullable(),
  /** The type of all rows, where their columns do not say it. */
  type: z.enum([...incidentTypes, ...assetTypes]).nullable(),
  /** With a row's own id it makes the same feature whenever the row comes again. */
  source: text(200).min(1, 'must not be empty'),
  /** Whether latitude stands before longitude. */
  areCoordinatesSwapped: z.boolean(),
  layout: importLayout,
  /** The column of each field that somebody has named. */
  columns: z.record(text(100), text(200)),
  /** For whom columns stay that fill no field, whatever their names say; of others it is staff. */
  keptFor: z.record(text(200), z.enum(keepers)),
  /** What words of the files mean, by the field: one of its own, or nothing at all where it is empty. */
  values: z.record(text(100), z.record(text(200), text(200))),
  /** Whether the answers of the last import of such files hold for these. */
  takesRecipe: z.boolean(),
  /** Whether what people changed here in features that an import made stays, whatever the files say. */
  keepsEdits: z.boolean(),
  /** Whether what people removed here comes back when the files have it. */
  bringsBack: z.boolean(),
  /** What becomes of features that an earlier edition of the files has made and this one does not have. */
  missing: z.enum(missingRules),
  /** Of features that are there already, only these fields change; null is all. 'geometry' is the shape, 'metadata' the rest. */
  onlyFields: z.array(text(100)).max(200).nullable(),
  /** Rows that are not imported, by their numbers. */
  leftOut: z.array(rowNumber).max(mostRowsChanged, `at most ${mostRowsChanged} rows are left out by hand`),
  /** What stands in some columns of some rows instead, by the rows' numbers. */
  mended: z
    .record(
      z.string().regex(/^[1-9]\d{0,9}$/, 'must be the number of a row'),
      z.record(text(200), text(2_000)),
    )
    .refine(
      (rows) => Object.keys(rows).length <= mostRowsChanged,
      `at most ${mostRowsChanged} rows are mended by hand`,
    ),
})
export type ImportSettings = z.infer<typeof importSettings>

const [usualProblem, otherProblem] = ['problem', 'problem of import'] as const

/** What the file of refused rows adds to each of them. They stay out of an import, unless they fill a field or somebody wants them. */
export const problemColumns: readonly string[] = [usualProblem, otherProblem]

/** What it is called, so that it takes the place of no column that somebody wants. */
export function problemColumnFor({ columns, keptFor }: Pick<ImportSettings, 'columns' | 'keptFor'>): string {
  const isWanted =
    Object.values(columns).includes(usualProblem) || (keptFor[usualProblem] ?? 'nobody') !== 'nobody'
  return isWanted ? otherProblem : usualProblem
}

/** As long as nobody has said anything. */
export const unsaidSettings: Omit<ImportSettings, 'source'> = {
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

/** In which projection the coordinates would lie on or near the land of the map. */
export const suggestedProjection = z.object({
  projection: projectionCode,
  name: z.string(),
  /** From the land; 0 on it. */
  kilometersOff: z.number(),
})
export type SuggestedProjection = z.infer<typeof suggestedProjection>

/** A column as the first rows have it. */
export const foundColumn = z.object({
  name: z.string(),
  examples: z.array(z.string()),
  /** All its values, where they are few. */
  values: z.array(z.string()).nullable().default(null),
})
export type FoundColumn = z.infer<typeof foundColumn>

/** A table, a sheet or a layer of a file. */
export const foundLayer = z.object({
  id: z.string(),
  label: z.string(),
  /** Null where only reading them all tells. */
  rows: z.number().int().nullable(),
  /** What its places are; null where they are in columns, or not known yet. */
  geometry: z.string().nullable(),
  /** Its name; null where the file does not say one, or needs none. */
  projection: z.string().nullable(),
  needsProjection: z.boolean(),
  /** What should be known of it, such as how exact its projection is. */
  notices: z.array(z.string()),
})

export const foundInFiles = z.object({
  layers: z.array(foundLayer),
  /** The id of the one that is read; null until somebody has chosen it, or said its projection. */
  layer: z.string().nullable(),
  columns: z.array(foundColumn),
  layout: foundLayout.nullable().default(null),
  /** Where the first rows are; null where they are nowhere in degrees. */
  extent: importExtent.nullable(),
  /** Where nobody says what the coordinates are in; the likeliest first, and the first rows are where that one has them. */
  suggested: z.array(suggestedProjection).default([]),
  /** Whether the first rows would lie on the land with latitude for longitude. */
  isSwapSuggested: z.boolean().default(false),
  /**
   * The import whose answers hold for these files, too, as their columns are those of that one; of an edition of its files
   * its source does, too.
   */
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

/** A row that does not come in as it is. */
export const importedRow = z.object({
  rowNumber: z.number().int(),
  line: z.number().int().nullable(),
  sourceId: z.string().nullable(),
  outcome: z.enum(['refused', 'repaired']),
  reason: z.string(),
})

const valueOfRow = z.object({ row: z.number().int(), value: z.string() })

/** What an import would do, or has done. */
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
      /** Some of what was not understood, the most frequent first. */
      unknown: z.array(z.string()).exactOptional(),
      /** The first of these, with their rows. */
      unknownRows: z.array(valueOfRow).exactOptional(),
      /** Dates before 1800 or after 2200. */
      oddDates: z.number().int().exactOptional(),
      oddRows: z.array(valueOfRow).exactOptional(),
    }),
  ),
  /** Columns that fill no field and stay with the features. */
  kept: z.array(z.string()),
  /** What looks wrong with the file as a whole. */
  doubts: z.array(z.string()),
  /** Columns of dates that could be day first or month first. */
  unclearDates: z.array(z.object({ column: z.string(), examples: z.array(z.string()) })).exactOptional(),
  /** What people should know, and need not confirm. */
  notes: z.array(z.string()).exactOptional(),
  /** The first of those that were refused or repaired. */
  reported: z.array(importedRow),
  /** Rows that somebody left out, and those of features that were removed here. */
  leftOut: z.number().int(),
  removedHere: z.number().int(),
  /** Features that an earlier edition has made and the files do not have any more. */
  gone: z.number().int(),
  /** Features of which fields stay that somebody changed here. */
  editsKept: z.number().int(),
  /** Where the rows are; null where none is anywhere. */
  extent: importExtent.nullable(),
  /** Whether something was said of the rows since: then it has to be tried again. */
  isStale: z.boolean(),
})
export type ImportOutcome = z.infer<typeof importOutcome>

/** `files` are the names of its files; empty if they are not known any more. `features` counts those that it changed. */
export const newerImport = z.object({
  source: z.string(),
  files: z.array(z.string()),
  importedAt: instant,
  features: z.number().int(),
})
export type NewerImport = z.infer<typeof newerImport>

/** The result of undoing an import. `kept` counts the features that people or `newer` imports changed since. */
export const undoOutcome = z.object({
  removed: z.number().int(),
  restored: z.number().int(),
  kept: z.number().int(),
  newer: z.array(newerImport),
})
export type UndoOutcome = z.infer<typeof undoOutcome>

/** Files that somebody has brought, and what people have said of them so far. */
export const importDraft = z.object({
  id: importDraftId,
  state: z.enum(importDraftStates),
  files: z.array(z.object({ name: z.string(), size: z.number().int(), received: z.number().int() })),
  settings: importSettings,
  /** Null until they have been looked at. */
  found: foundInFiles.nullable(),
  /** The field that each column fills by its name or as somebody has said; others fill none. */
  matches: z.record(z.string(), z.string()),
  /** What is in columns that fill a field of a few words, and what each becomes; null where it is not understood. */
  words: z.array(
    z.object({
      field: z.string(),
      column: z.string(),
      values: z.array(z.object({ said: z.string(), becomes: z.string().nullable() })),
    }),
  ),
  /** While the server is at work. */
  progress: importProgress.nullable(),
  outcome: importOutcome.nullable(),
  undone: undoOutcome.nullable(),
  /** Newer imports that changed the same features: they are undone first, or undoing this one is confirmed. */
  undoFirst: z.array(newerImport),
  /** Why the last step failed. */
  problem: z.string().nullable(),
  startedBy: z.string(),
  startedAt: instant,
})
export type ImportDraft = z.infer<typeof importDraft>

/** A draft in a list: without what is in its files, and what was said of them. */
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
  /** Bytes of all files that may come together. */
  mostBytes: z.number().int(),
})
export type ImportDrafts = z.infer<typeof importDrafts>
