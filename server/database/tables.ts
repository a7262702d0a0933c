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

// Instants are epoch milliseconds, JSON is text: so both engines give the same values back.
// Every primary key starts with map_id, the column that a distributed database would shard by.

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
  /** JSON of a MapConfiguration. */
  configuration: string
  applied_at: number
  applied_by: string | null
  restored_from: number | null
}

/** The data of a feature. All other columns of its row are derived from it, or count its changes. */
export type SaidColumns = {
  id: string
  /** The layer of the map that it is on. */
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
  /** JSON of the fields that only its kind has. */
  fields: string
  /** JSON of Metadata. */
  metadata: string
  /** GeoJSON geometry. Last in the table, so that lists never read past it. */
  geometry: string
}

/** Made by server/features/derive-columns.ts alone. */
export type DerivedColumns = {
  shape: FeatureShape
  lng: number
  lat: number
  west: number
  south: number
  east: number
  north: number
  /** Square metres or metres on the Web Mercator plane: the order of equals on a tile. */
  size: number
  /** Morton code of the location, 26 bits an axis (see domain/thinning/morton.ts). */
  morton: number
  /** First tile zoom at which its geometry is drawn instead of a point. */
  size_zoom: number
  /** The name as people count: 'lot 0000000002' before 'lot 0000000010'. */
  name_order: string
  search_text: string
}

/** What a feature and a feature waiting in an import have in common. */
export type FeatureColumns = SaidColumns &
  DerivedColumns & {
    map_id: string
    import_id: string | null
    version: number
    created_at: number
    updated_at: number
  }

/**
 * Three columns are the database's own: `parcel_id` is the `parcelId` of the fields, `date_order` puts incidents in the
 * order of the list (the newest first, those without a date last; 0 for every other kind). The ranks (see
 * domain/thinning/representatives.ts) are kept by server/thinning alone.
 */
export type FeaturesTable = FeatureColumns &
  Ranks & {
    parcel_id: GeneratedAlways<string | null>
    date_order: GeneratedAlways<number>
    /** The `nextDue` of the fields. */
    next_due: GeneratedAlways<string | null>
  }

/**
 * The number of features of a map with the same kind, shape, type and day. `type` is '' where there is none, `day`
 * counts UTC days since 1970.
 */
export type FeatureCountsTable = {
  map_id: string
  kind: FeatureKind
  shape: FeatureShape
  type: string
  day: number
  count: number
}

/** The box around all features of a map; no row while there are none. */
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
  /** 1 where it put aside what people had changed. */
  replaces_edits: number
}

/** What an import replaced (JSON of the former row) or created (null), so that it can be undone. */
export type ImportChangesTable = {
  map_id: string
  import_id: string
  id: string
  previous: string | null
  /** A row of the file became the feature; or the file did not have it any more, and it was marked or removed. */
  deed: Generated<'row' | 'mark' | 'removal'>
}

/** What one change made of one feature. */
export type FeatureHistoryTable = {
  map_id: string
  feature_id: string
  /** Names the change of which this is a part, chosen by whoever asked for it. */
  change_id: string
  at: number
  /** That the feature had afterwards; of a removed one that which it had no more. */
  version: number
  /** Name at that time. */
  actor: string
  /** The identity provider's name for the person, which never changes. */
  actor_id: string
  /** The token by which it was done; null is by the person in the page. */
  token_id: string | null
  action: HistoryAction
  /** The change that this one took back. */
  undoes: string | null
  /** JSON of ChangedFields. */
  changed: string
}

/** A feature that was removed and can be put back. */
export type RemovedFeaturesTable = {
  map_id: string
  id: string
  /** As in its definition. */
  kind: DefinedKind
  name: string
  version: number
  change_id: string
  created_at: number
  removed_at: number
  removed_by: string
  /** JSON of NewFeature. */
  feature: string
}

/** Work that outlives a request, written in the transaction of the change that wants it. What is done is deleted. */
export type JobsTable = {
  map_id: string
  id: string
  kind: string
  /** There is one job of a kind with the same key. */
  job_key: string
  /** JSON, as the kind defines it. */
  payload: string
  created_at: number
  run_at: number
  /** Since it last got on. */
  attempts: number
  /** Until then the process `locked_by` works on it; null is nobody. */
  locked_until: number | null
  locked_by: string | null
  last_error: string | null
  /** When it was given up. */
  dead_at: number | null
}

/** One change of many features. Its id is the `change_id` of their history. */
export type BulkChangesTable = {
  map_id: string
  id: string
  action: BulkAction
  /** JSON of a FeatureChange; empty where none is said. */
  patch: string
  undoes: string | null
  state: BulkState
  /** JSON: how many of each kind were meant. */
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

/** A feature that is still to be changed, at the version that was meant; with a reason it was left as it is. */
export type BulkChangeItemsTable = {
  map_id: string
  bulk_id: string
  feature_id: string
  version: number
  reason: string | null
}

/** A receiver of webhooks. */
export type WebhookEndpointsTable = {
  map_id: string
  id: string
  url: string
  description: string
  /** JSON: the names of the events that it wants. */
  events: string
  /** JSON: the kinds of which it wants events of one record; empty is all. */
  kinds: string
  /** In plain text: each delivery is signed with it. */
  secret: string
  /** Signs too, until `former_until`. */
  former_secret: string | null
  former_until: number | null
  /** Since when nothing is sent to it; null while it is on. */
  off_at: number | null
  off_reason: OffReason | null
  version: number
  created_at: number
  created_by: string
  /** When it last had its turn. */
  served_at: number
  /** Until then the process `locked_by` sends to it; null is nobody. */
  locked_until: number | null
  locked_by: string | null
}

/** An event for an endpoint: the outbox while it waits, then for a month what became of it. */
export type WebhookDeliveriesTable = {
  map_id: string
  /** Names it to the receiver, the same at each try. */
  id: string
  endpoint_id: string
  event: SentEvent
  subject: string | null
  kind: DefinedKind | null
  version: number | null
  at: number
  /** Null where it is over. */
  next_try_at: number | null
  tries: number
  tried_at: number | null
  status: number | null
  took_ms: number | null
  error: string | null
  delivered_at: number | null
}

/** Bytes that files of a map name, kept by their SHA-256 (server/blob-stores/blob-store.ts). */
export type BlobsTable = {
  map_id: string
  sha256: string
  size: number
  /** Since when no file on the map names them; null while one does. */
  unnamed_since: number | null
}

/** A photo or a document of a feature. */
export type FilesTable = {
  map_id: string
  id: string
  feature_id: string
  /** The entry of the feature's maintenance that it belongs to. */
  maintenance_id: string | null
  kind: FileKind
  name: string
  caption: string
  list_order: number
  is_public: number
  /** Bytes of the original. */
  size: number
  /** SHA-256 of what was sent, and of what was made of a photo. */
  original: string
  large: string | null
  small: string | null
  /** Of the original. */
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

/** A file that is on its way. */
export type UploadsTable = {
  map_id: string
  /** The file will have it, too. */
  id: string
  feature_id: string
  maintenance_id: string | null
  person_id: string
  name: string
  size: number
  sha256: string | null
  received: number
  /** JSON: the bytes of each piece, in their order. */
  pieces: string
  created_at: number
}

/** Files that somebody brings to be imported, and what people have said of them so far. */
export type BackgroundExportsTable = {
  map_id: string
  id: string
  person_id: string
  /** JSON of ExportQuery. */
  question: string
  /** JSON of ExportSelection; null: all that the question means. */
  selection: string | null
  file_name: string
  state: BackgroundExportState
  /** Counts how often it was begun: the process of an earlier attempt has no say any more. */
  attempt: number
  rows_read: number
  /** As many as there were when somebody asked. */
  total: number
  /** JSON of the bytes of each piece in the store. */
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
  /** Counts what the server was asked to do: the process of an earlier attempt has no say any more. */
  attempt: number
  /** JSON of ImportSettings. */
  settings: string
  /** JSON of FoundInFiles. */
  found: string | null
  /** JSON of how far the server is with what it is at. */
  progress: string | null
  /** JSON of ImportOutcome, of the last trial or of the import. */
  outcome: string | null
  /** JSON of UndoOutcome. */
  undone: string | null
  problem: string | null
  /** Decided beforehand: an import that is begun again after a kill is the same one. */
  import_id: string
  /** Bytes of its working folder after the last step. */
  work_bytes: number
  /** JSON of who asked for a trial while the files were examined; it begins afterward. */
  trial_actor: string | null
  created_at: number
  changed_at: number
}

/** One of the files of a draft, and how far it has come. */
export type ImportDraftFilesTable = {
  map_id: string
  draft_id: string
  /** From 0, as they were announced. */
  list_order: number
  name: string
  size: number
  received: number
  /** JSON: the bytes of each piece, in their order. */
  pieces: string
}

/** What people said of the files of the last import of a source. */
export type ImportRecipesTable = {
  map_id: string
  source: string
  /** The last import of it. */
  import_id: string
  /** JSON: the names of the columns of these files. */
  columns: string
  /** JSON of ImportSettings, but for what is said of single rows. */
  settings: string
  imported_at: number
}

/** What was done to an asset. What the asset says of it follows from here. */
export type MaintenanceEntriesTable = {
  map_id: string
  feature_id: string
  /** Chosen by whoever added it. */
  id: string
  /** Calendar days, YYYY-MM-DD. */
  date: string
  text: string
  performed_by: string | null
  cost_cents: number | null
  hours: number | null
  next_due: string | null
  /** Of the feature, when the entry became what it is. */
  version: number
  created_at: number
  /** Name at that time; null where an import or a file brought it. */
  created_by: string | null
  import_id: string | null
}

/** The secret address of a map's calendar, as its SHA-256. */
export type MaintenanceCalendarsTable = {
  map_id: string
  secret_hash: string
  created_at: number
  created_by: string
}

/** The fields that a client has added to each kind. */
export type OwnFieldsTable = {
  map_id: string
  version: number
  /** JSON of `OwnFields`. */
  fields: string
  /** JSON of those that were removed again: their values are kept. */
  removed: string
  /** The search words of features after this one have still to follow; null where all do. */
  words_after: string | null
  changed_at: number
  /** Name at that time. */
  changed_by: string
}

/** What staff drew on a map. */
export type DrawingsTable = {
  map_id: string
  id: string
  kind: string
  /** GeoJSON. */
  geometry: string
  /** Of the geometry: their sum over a map is limited. */
  vertex_count: number
  name: string
  note: string
  /** The identity provider's name for the person, which never changes, and what others are shown. */
  author_id: string
  author: string
  /** Name of whoever changed it last. */
  updated_by: string
  version: number
  created_at: number
  updated_at: number
}

/** Append-only: what happened on a map. Written in the transaction of the change it tells of. */
export type ActivityTable = {
  map_id: string
  id: string
  at: number
  /** Name at that time. */
  actor: string | null
  /** The identity provider's name for the person, which never changes. */
  actor_id: string | null
  /** The token by which it was done; null is by the person in the page, or by a program of ours. */
  token_id: string | null
  action: string
  subject: string | null
  /** JSON. */
  details: string
  west: number | null
  south: number | null
  east: number | null
  north: number | null
}

/** What the metadata of a map's features is called, as of a state of them. */
export type MetadataNamesTable = {
  map_id: string
  counted_at_state: string
  /** JSON of MetadataName[]. */
  names: string
}

/** How far a person has read what happened on a map. */
export type ActivityReadsTable = { map_id: string; person_id: string; read_at: number }

/** A page that has a record open. */
export type OpenRecordsTable = {
  map_id: string
  feature_id: string
  /** Made up by the page, for each time that it opens the record. */
  page_id: string
  person_id: string
  person_name: string
  is_editing: number
  opened_at: number
  /** The page has not said so since: counted as closed soon after. */
  said_at: number
  /** 1 for good: what the page said before and comes later counts no more. */
  is_closed: Generated<number>
}

/** A signed-in browser. The cookie holds the id, the database only its SHA-256. */
export type SessionsTable = {
  id_hash: string
  person_id: string
  person_name: string
  /** JSON of Roles. */
  roles: string
  /** Names the session to the identity provider when it ends; null where there was none. */
  id_token: string | null
  /** The provider's own session, behind its issuer; null where it did not tell. */
  provider_session: string | null
  created_at: number
  expires_at: number
  last_seen_at: number
}

/** What a program shows instead of a session. The program holds the token, the database only its SHA-256. */
export type ApiTokensTable = {
  id: string
  token_hash: string
  name: string
  /** Who said who its maker is: an identity provider's address, or its kind. */
  issuer: string
  person_id: string
  person_name: string
  /** JSON of TokenScope[]. */
  scopes: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

/** A sign-in under way, known to the browser by a cookie of which this is the SHA-256. Used once. */
export type SignInsTable = {
  id_hash: string
  /** JSON of what the answer of the identity provider must fit. */
  checks: string
  return_to: string
  created_at: number
}

/** Answers to requests that may come twice. */
export type IdempotencyKeysTable = {
  person_id: string
  idempotency_key: string
  /** SHA-256 of method, address and body. */
  request_hash: string
  status: number
  /** JSON. */
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
  /** Where a browser that signed out here goes to sign out at the provider. Used once. */
  sign_outs: { id_hash: string; provider_url: string; created_at: number }
  /** Tokens by which the provider ended sessions: each counts once. */
  logout_tokens: { id_hash: string; created_at: number }
  /** JSON of the words for what somebody was allowed at their last sign-in. */
  last_roles: { person_digest: string; roles: string; signed_in_at: number }
  idempotency_keys: IdempotencyKeysTable
  migrations: { name: string; applied_at: Generated<number> }
}
