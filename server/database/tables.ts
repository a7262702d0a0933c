import type { Generated, GeneratedAlways } from 'kysely'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { BackgroundExportState } from '#domain/exports/background-export.schema.ts'
import type { BulkAction, BulkState } from '#domain/features/bulk-change.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { HistoryAction } from '#domain/features/history.schema.ts'
import type { FileKind } from '#domain/files/file.schema.ts'
import type { ImportDraftState } from '#domain/imports/import-draft.schema.ts'
import type { Ranks } from '#domain/thinning/rank-features.ts'
import type { OffReason } from '#domain/webhooks/webhook.schema.ts'
import type { SentEvent } from '#domain/webhooks/webhook-event.ts'

// Instants are epoch milliseconds, JSON is text: both engines return the same values. Every primary key
// starts with map_id, the column to shard by.

export type MapsTable = { map_id: string; created_at: number; updated_at: number }

export type ClientsTable = {
  map_id: string
  name: string
  location: string
  thumbnail: string | null
  list_order: string
  search_text: string
  created_at: number
  updated_at: number
  archived_at: number | null
  version: Generated<number>
}

export type MapConfigurationsTable = {
  map_id: string
  version: number
  configuration: string
  applied_at: number
  applied_by: string | null
  restored_from: number | null
}

/** The data of a feature; all other columns are derived, or count changes. */
export type DataColumns = {
  id: string
  kind: FeatureKind
  /** 1 for a general feature, which may be on any layer. */
  is_general: number
  name: string
  description: string
  type: string | null
  status: string | null
  severity: string | null
  /** Of an incident or a general feature. */
  date: number | null
  /** JSON of the fields of its kind. */
  fields: string
  /** JSON of Metadata. */
  metadata: string
  /** GeoJSON. The last column, so that lists never read past it. */
  geometry: string
}

/** Computed by server/features/derive-columns.ts. */
export type DerivedColumns = {
  shape: FeatureShape
  lng: number
  lat: number
  west: number
  south: number
  east: number
  north: number
  /** Square meters or meters on the Web Mercator plane. */
  size: number
  /** Code of the location, 26 bits per axis (domain/thinning/morton.ts). */
  morton: number
  /** First tile zoom that draws the geometry instead of a point. */
  size_zoom: number
  /** Natural order: 'lot 0000000002' before 'lot 0000000010'. */
  name_order: string
  search_text: string
}

export type FeatureColumns = DataColumns &
  DerivedColumns & {
    map_id: string
    import_id: string | null
    version: number
    created_at: number
    updated_at: number
  }

/**
 * `parcel_id` is generated from the fields; `date_order` from the date (newest incidents first, without a
 * date last, 0 for other kinds). server/thinning maintains the ranks (domain/thinning/representatives.ts).
 */
export type FeaturesTable = FeatureColumns &
  Ranks & {
    parcel_id: GeneratedAlways<string | null>
    date_order: GeneratedAlways<number>
    /** Generated from the fields. */
    next_due: GeneratedAlways<string | null>
  }

/** `type` is '' for none, `day` counts UTC days since 1970. */
export type FeatureCountsTable = {
  map_id: string
  kind: FeatureKind
  shape: FeatureShape
  type: string
  day: number
  count: number
}

/** No row for an empty map. */
export type MapExtentsTable = { map_id: string; west: number; south: number; east: number; north: number }

export type StagedFeaturesTable = FeatureColumns & { row_number: number }

export type ImportsTable = {
  map_id: string
  id: string
  source: string
  kind: FeatureKind
  state: 'staging' | 'done' | 'undone'
  created_count: number
  updated_count: number
  refused_count: number
  started_at: number
  finished_at: number | null
  /** 1 if it overwrote edits of people. */
  replaces_edits: number
}

/** For undo: JSON of the previous row, or null for a new feature. */
export type ImportChangesTable = {
  map_id: string
  import_id: string
  id: string
  previous: string | null
  /** The file has the feature (`row`); or lacks it, and it was marked or removed. */
  deed: Generated<'row' | 'mark' | 'removal'>
}

export type FeatureHistoryTable = {
  map_id: string
  feature_id: string
  /** Chosen by the client. */
  change_id: string
  at: number
  /** After the change; of a removed feature the last one. */
  version: number
  actor: string
  actor_id: string
  /** Null for people in the page. */
  token_id: string | null
  action: HistoryAction
  undoes: string | null
  changed: string
}

/** For restoring. */
export type RemovedFeaturesTable = {
  map_id: string
  id: string
  kind: DefinedKind
  name: string
  version: number
  change_id: string
  created_at: number
  removed_at: number
  removed_by: string
  feature: string
}

/** Work that outlives a request, written in the same transaction. Deleted when done. */
export type JobsTable = {
  map_id: string
  id: string
  kind: string
  /** Unique per kind. */
  job_key: string
  payload: string
  created_at: number
  run_at: number
  /** Since the last progress. */
  attempts: number
  /** Lease of the process `locked_by`. */
  locked_until: number | null
  locked_by: string | null
  last_error: string | null
  dead_at: number | null
}

/** Its id is the `change_id` of the history. */
export type BulkChangesTable = {
  map_id: string
  id: string
  action: BulkAction
  /** JSON of a FeatureChange. */
  patch: string
  undoes: string | null
  state: BulkState
  /** JSON: the number of features by kind. */
  kinds: string
  total: number
  changed: number
  same: number
  left_count: number
  actor: string
  actor_id: string
  token_id: string | null
  started_at: number
  finished_at: number | null
}

/** A feature to change, at the selected version; `reason` for a skipped one. */
export type BulkChangeItemsTable = {
  map_id: string
  bulk_id: string
  feature_id: string
  version: number
  reason: string | null
}

export type WebhookEndpointsTable = {
  map_id: string
  id: string
  url: string
  description: string
  /** JSON array of event names. */
  events: string
  /** JSON array; empty for all kinds. */
  kinds: string
  /** In plain text, for signing. */
  secret: string
  /** Also signs, until `former_until`. */
  former_secret: string | null
  former_until: number | null
  /** Null while it is enabled. */
  off_at: number | null
  off_reason: OffReason | null
  version: number
  created_at: number
  created_by: string
  served_at: number
  /** Lease of the process `locked_by`. */
  locked_until: number | null
  locked_by: string | null
}

/** The outbox, then a month's log. */
export type WebhookDeliveriesTable = {
  map_id: string
  /** The same for every try. */
  id: string
  endpoint_id: string
  event: SentEvent
  subject: string | null
  kind: DefinedKind | null
  version: number | null
  at: number
  /** Null when finished. */
  next_try_at: number | null
  tries: number
  tried_at: number | null
  status: number | null
  took_ms: number | null
  error: string | null
  delivered_at: number | null
}

/** Stored by SHA-256 (server/blob-store.ts). */
export type BlobsTable = {
  map_id: string
  sha256: string
  size: number
  /** Null while a file refers to it. */
  unnamed_since: number | null
}

export type FilesTable = {
  map_id: string
  id: string
  feature_id: string
  maintenance_id: string | null
  kind: FileKind
  name: string
  caption: string
  list_order: number
  is_public: number
  size: number
  /** SHA-256 of the upload and of the versions made of a photo. */
  original: string
  large: string | null
  small: string | null
  /** Original file. */
  media_type: string
  width: number | null
  height: number | null
  lat: number | null
  lng: number | null
  taken_at: string | null
  added_at: number
  added_by: string
  added_by_id: string
  version: number
  removed_at: number | null
  removed_by: string | null
}

export type UploadsTable = {
  map_id: string
  /** Also of the file. */
  id: string
  feature_id: string
  maintenance_id: string | null
  person_id: string
  name: string
  size: number
  sha256: string | null
  received: number
  /** JSON: bytes per piece, in order. */
  pieces: string
  created_at: number
}

export type BackgroundExportsTable = {
  map_id: string
  id: string
  person_id: string
  question: string
  /** JSON of ExportSelection; null for everything that matches. */
  selection: string | null
  file_name: string
  state: BackgroundExportState
  /** Rejects results of earlier attempts. */
  attempt: number
  rows_read: number
  /** At the time of the request. */
  total: number
  /** JSON: bytes per piece. */
  pieces: string
  problem: string | null
  created_at: number
  finished_at: number | null
}

export type ImportDraftsTable = {
  map_id: string
  id: string
  person_id: string
  person_name: string
  state: ImportDraftState
  /** Rejects results of earlier attempts. */
  attempt: number
  settings: string
  found: string | null
  /** JSON. */
  progress: string | null
  /** JSON of ImportOutcome, of the last preview or of the import. */
  outcome: string | null
  undone: string | null
  problem: string | null
  /** Assigned early: an import that restarts after a kill keeps it. */
  import_id: string
  work_bytes: number
  /** JSON of the user who requested a preview during the examination; it follows. */
  trial_actor: string | null
  created_at: number
  changed_at: number
}

export type ImportDraftFilesTable = {
  map_id: string
  draft_id: string
  list_order: number
  name: string
  size: number
  received: number
  /** JSON: bytes per piece, in order. */
  pieces: string
}

/** Settings for the next import of the same source. */
export type ImportRecipesTable = {
  map_id: string
  source: string
  import_id: string
  /** JSON: the column names of these files. */
  columns: string
  /** JSON of ImportSettings, without those of single rows. */
  settings: string
  imported_at: number
}

export type MaintenanceEntriesTable = {
  map_id: string
  feature_id: string
  /** Chosen by the client. */
  id: string
  /** YYYY-MM-DD. */
  date: string
  text: string
  performed_by: string | null
  cost_cents: number | null
  hours: number | null
  next_due: string | null
  /** Feature version when the entry got its current values. */
  version: number
  created_at: number
  /** Null for an import. */
  created_by: string | null
  import_id: string | null
}

/** SHA-256 of the secret address of a map's calendar. */
export type MaintenanceCalendarsTable = {
  map_id: string
  secret_hash: string
  created_at: number
  created_by: string
}

export type OwnFieldsTable = {
  map_id: string
  version: number
  fields: string
  /** JSON of removed fields, whose values stay. */
  removed: string
  /** Search words of features after this one are outdated; null for none. */
  words_after: string | null
  changed_at: number
  changed_by: string
}

export type DrawingsTable = {
  map_id: string
  id: string
  kind: string
  geometry: string
  /** The sum over a map is limited. */
  vertex_count: number
  name: string
  note: string
  /** The identity provider's id, and the displayed name. */
  author_id: string
  author: string
  updated_by: string
  version: number
  created_at: number
  updated_at: number
}

/** Append-only; written in the transaction of the change. */
export type ActivityTable = {
  map_id: string
  id: string
  at: number
  actor: string | null
  actor_id: string | null
  /** Null for people in the page, and for our own programs. */
  token_id: string | null
  action: string
  subject: string | null
  details: string
  west: number | null
  south: number | null
  east: number | null
  north: number | null
}

/** Names in the metadata of a map's features, as of a state. */
export type MetadataNamesTable = {
  map_id: string
  counted_at_state: string
  names: string
}

export type ActivityReadsTable = { map_id: string; person_id: string; read_at: number }

/** A page that shows a record. */
export type OpenRecordsTable = {
  map_id: string
  feature_id: string
  /** Random, for each time that the page opens the record. */
  page_id: string
  person_id: string
  person_name: string
  is_editing: number
  opened_at: number
  /** The last report of the page; the row expires soon after. */
  said_at: number
  /** 1 for good: ignores late reports of the page. */
  is_closed: Generated<number>
}

/** The cookie has the id, the database its SHA-256. */
export type SessionsTable = {
  id_hash: string
  person_id: string
  person_name: string
  roles: string
  /** A hint for the provider's sign-out; null if there was none. */
  id_token: string | null
  /** The provider's session with its issuer; null if it did not send it. */
  provider_session: string | null
  created_at: number
  expires_at: number
  last_seen_at: number
}

/** The database has only the SHA-256 of the token. */
export type ApiTokensTable = {
  id: string
  token_hash: string
  name: string
  /** The identity provider's address, or its kind. */
  issuer: string
  person_id: string
  person_name: string
  scopes: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

/** A sign-in under way; the id is the SHA-256 of a cookie. Used once. */
export type SignInsTable = {
  id_hash: string
  /** JSON of checks for the provider's answer. */
  checks: string
  return_to: string
  created_at: number
}

/** Answers for repeated requests. */
export type IdempotencyKeysTable = {
  person_id: string
  idempotency_key: string
  /** SHA-256 of the request's method, path and body. */
  request_hash: string
  status: number
  answer: string
  created_at: number
}

export type Tables = {
  maps: MapsTable
  clients: ClientsTable
  map_configurations: MapConfigurationsTable
  features: FeaturesTable
  feature_history: FeatureHistoryTable
  removed_features: RemovedFeaturesTable
  jobs: JobsTable
  bulk_changes: BulkChangesTable
  bulk_change_items: BulkChangeItemsTable
  blobs: BlobsTable
  files: FilesTable
  uploads: UploadsTable
  background_exports: BackgroundExportsTable
  file_store: { kind: 'files'; id: string }
  import_drafts: ImportDraftsTable
  import_draft_files: ImportDraftFilesTable
  import_recipes: ImportRecipesTable
  maintenance_entries: MaintenanceEntriesTable
  maintenance_calendars: MaintenanceCalendarsTable
  own_fields: OwnFieldsTable
  drawings: DrawingsTable
  feature_counts: FeatureCountsTable
  map_extents: MapExtentsTable
  metadata_names: MetadataNamesTable
  staged_features: StagedFeaturesTable
  imports: ImportsTable
  import_changes: ImportChangesTable
  activity: ActivityTable
  activity_reads: ActivityReadsTable
  open_records: OpenRecordsTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  sessions: SessionsTable
  sign_ins: SignInsTable
  api_tokens: ApiTokensTable
  api_token_maps: { map_id: string; token_id: string }
  /** The provider's sign-out for a browser. Used once. */
  sign_outs: { id_hash: string; provider_url: string; created_at: number }
  /** Logout tokens of the provider, each used once. */
  logout_tokens: { id_hash: string; created_at: number }
  /** JSON of the roles at the last sign-in. */
  last_roles: { person_digest: string; roles: string; signed_in_at: number }
  idempotency_keys: IdempotencyKeysTable
  migrations: { name: string; applied_at: Generated<number> }
}
