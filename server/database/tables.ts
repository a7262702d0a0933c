import type { Generated, GeneratedAlways } from 'kysely'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { BackgroundExportState } from '#domain/exports/background-export.schema.ts'
import type { BulkAction, BulkState } from '#domain/features/bulk-change.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { HistoryAction } from '#domain/features/history.schema.ts'
import type { LandRecordType } from '#domain/features/land-change.schema.ts'
import type { FileKind } from '#domain/files/file.schema.ts'
import type { ImportDraftState } from '#domain/imports/import-draft.schema.ts'
import type { IncidentType, Severity } from '#domain/incidents/incident-types.ts'
import type { WorkState } from '#domain/incidents/work-states.ts'
import type { LandCheckState } from '#domain/land-check/land-check.schema.ts'
import type { Publication } from '#domain/reports/report-settings.ts'
import type { ReportState } from '#domain/reports/report-states.ts'
import type { Frequency, News, Topic } from '#domain/subscriptions/subscriptions.ts'
import type { Ranks } from '#domain/thinning/rank-features.ts'
import type { OffReason } from '#domain/webhooks/webhook.schema.ts'
import type { SentEvent } from '#domain/webhooks/webhook-event.ts'
import type { NoteSource } from '#domain/work/work-views.ts'

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
  /** Null: that of the land. */
  time_zone: string | null
  /** JSON. */
  contact: string | null
  is_sample: Generated<number>
}

export type MapConfigurationsTable = {
  map_id: string
  version: number
  configuration: string
  applied_at: number
  applied_by: string | null
  restored_from: number | null
}

export type DataColumns = {
  id: string
  kind: FeatureKind
  is_general: number
  name: string
  description: string
  type: string | null
  status: string | null
  severity: string | null
  date: number | null
  fields: string
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
    next_due: GeneratedAlways<string | null>
  }

export type FeatureCountsTable = {
  map_id: string
  kind: FeatureKind
  shape: FeatureShape
  type: string
  day: number
  count: number
}

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
  replaces_edits: number
}

/** For undo: JSON of the previous row, or null for a new feature. */
export type ImportChangesTable = {
  map_id: string
  import_id: string
  id: string
  previous: string | null
  /** `row` if the file contains the feature; otherwise what the import did to the missing feature. */
  deed: Generated<'row' | 'mark' | 'removal'>
}

export type FeatureHistoryTable = {
  map_id: string
  feature_id: string
  change_id: string
  at: number
  version: number
  actor: string
  actor_id: string
  token_id: string | null
  action: HistoryAction
  undoes: string | null
  changed: string
}

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

export type LandChangesTable = {
  map_id: string
  change_id: string
  at: number
  actor: string
  record_type: LandRecordType | null
  record_number: string | null
  record_date: string | null
  record_file_id: string | null
  is_undone: number
}

export type LandOriginsTable = {
  map_id: string
  change_id: string
  feature_id: string
  name: string
  origin_id: string
  origin_name: string
}

export type LandFilesTable = {
  map_id: string
  change_id: string
  file_id: string
  origin_id: string
  feature_id: string
}

export type ReportsTable = {
  map_id: string
  id: string
  number: number
  /** SHA-256 of the key. */
  key_hash: string
  state: ReportState
  title: string
  description: string
  type: IncidentType
  severity: Severity | null
  lng: number
  lat: number
  accuracy_meters: number | null
  asset_id: string | null
  email: string | null
  public_note: string
  duplicate_of: string | null
  made_at: number
  created_at: number
  decided_by: string | null
  decided_at: number | null
  version: number
  /** State of the report in the last email to the reporter (`Standing` in server/reports/report-news.ts). */
  mailed: string | null
  /** Why the mail server of the reporter refused the last email. */
  mail_problem: string | null
  /** How it becomes public. 'review' once staff have decided, or after it became public. */
  publication: Publication
  /** Only the holder of the address knows it. Null without an address. */
  email_secret: string | null
  /** The incident that the reporter recognized. `duplicate_of` changes with decisions and merges. */
  same_as: string | null
  /** As the reporter wrote it, if staff changed it. */
  original_description: string | null
  /** Keyed hash of the network address. Null for Open311, and once it is erased. */
  sender: string | null
  /** JSON list of instants: recent temporary bounces. */
  delays: string | null
  /** How often its reporter entered another address, or removed it. */
  email_changes: number
  /** Hashes of addresses that ended the emails, separated by spaces. */
  ended_emails: string
}

export type ReportSettingsTable = {
  map_id: string
  version: number
  /** JSON of `ReportSettings`. */
  settings: string
  changed_at: number
  changed_by: string
}

/** A duplicate, which is a report or an incident, and the incident that it was merged into. */
export type MergesTable = {
  map_id: string
  source_id: string
  target_id: string
  title: string
  /** The note that the description of the duplicate became. */
  note_id: string | null
  /** Columns of the report before, as JSON. Null for an incident without a report. */
  previous: string | null
  at: number
  actor: string
}

/** Emails to someone without an account. Active if confirmed and not ended. */
export type SubscriptionsTable = {
  map_id: string
  id: string
  /** Lower case. */
  email: string
  topic: Topic
  /** The incident or the parcel. */
  feature_id: string | null
  radius_meters: number | null
  /** GeoJSON polygon. */
  area: string | null
  /** Hash of address and topic, which have one subscription. */
  about_hash: string
  /** JSON list of types. Empty: all. */
  types: string
  news: News
  frequency: Frequency
  /** The keys in emails are derived from it. */
  secret: string
  /** When the last confirmation was requested. */
  asked_at: number
  /** Requests without a day between two of them. */
  requests: number
  confirmed_at: number | null
  ended_at: number | null
  /** News until then is in a digest. */
  digested_at: number | null
  /** Emails in a row that the mail server of the recipient refused. */
  refusals: number
  /** 1: also gets notices that staff send to this place. */
  notices: 0 | 1
  /** JSON list of instants: recent temporary bounces. */
  delays: string | null
}

/** How incidents stand for visitors, as far as it was announced (`Standing` in server/reports/report-news.ts). */
export type NoticesTable = {
  map_id: string
  /** Set by the client. */
  id: string
  subject: string
  message: string
  /** Number of people. */
  recipients: number
  sent_by: string
  sent_at: number
  /** When there was a job for each recipient. */
  queued_at: number | null
}

export type IncidentNewsTable = {
  map_id: string
  incident_id: string
  /** Null while it is not on the map. */
  standing: string | null
  appeared_at: number | null
  changed_at: number | null
}

/** The standing of an incident in the last email to a recipient. Null: not on the map. */
export type IncidentMailsTable = {
  map_id: string
  /** Id of a subscription, or 'staff ' and an address. */
  recipient: string
  incident_id: string
  mailed: string | null
}

/** Moved by a merge, with the values before it. An item that moved on with a later merge has a row for each. */
export type MergedItemsTable = {
  map_id: string
  source_id: string
  kind: 'file' | 'note' | 'report' | 'work-link'
  item_id: string
  list_order: number
  is_public: number
}

/** `incident_id` is the id of a report until its incident exists. */
/** Never in backups. */
export type ReportSecretsTable = { map_id: string; secret: string }

/** `report_id` is the report for which staff blocked its sender. */
export type BlockedSendersTable = {
  map_id: string
  sender: string
  report_id: string
  until: number
  blocked_by: string
}

export type IncidentNotesTable = {
  map_id: string
  id: string
  incident_id: string
  at: number
  source: NoteSource
  author: string | null
  text: string
  state: WorkState | null
  is_public: number
  is_waiting: number
  /** The report whose reporter wrote it. Null in rows of the previous version, where it is `incident_id`. */
  report_id: string | null
  /** As its author wrote it, if staff changed it. */
  original_text: string | null
}

/** The key in the link is derived from the secret (server/work/work-links.commands.ts), so that staff can copy it again. */
export type WorkLinksTable = {
  map_id: string
  id: string
  incident_id: string
  secret: string
  name: string
  email: string | null
  created_by: string
  created_at: number
  expires_at: number
  revoked_at: number | null
  done_at: number | null
  mailed_at: number | null
  mail_problem: string | null
  instructions: string
}

/** `result` is JSON. */
export type LandChecksTable = {
  map_id: string
  id: string
  state: LandCheckState
  progress: number
  result: string | null
  failure: string | null
  created_at: number
  finished_at: number | null
}

/** Written in the same transaction as its cause. Deleted when done. */
export type JobsTable = {
  map_id: string
  id: string
  kind: string
  job_key: string
  payload: string
  created_at: number
  run_at: number
  attempts: number
  /** Lease of the process `locked_by`. */
  locked_until: number | null
  locked_by: string | null
  last_error: string | null
  dead_at: number | null
}

export type BulkChangesTable = {
  map_id: string
  id: string
  action: BulkAction
  patch: string
  undoes: string | null
  state: BulkState
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
  events: string
  kinds: string
  /** In plain text, for signing. */
  secret: string
  /** Also signs, until `former_until`. */
  former_secret: string | null
  former_until: number | null
  off_at: number | null
  off_reason: OffReason | null
  version: number
  created_at: number
  created_by: string
  served_at: number
  locked_until: number | null
  locked_by: string | null
}

/** The outbox, then a log for a month. */
export type WebhookDeliveriesTable = {
  map_id: string
  id: string
  endpoint_id: string
  event: SentEvent
  subject: string | null
  kind: DefinedKind | null
  version: number | null
  at: number
  next_try_at: number | null
  tries: number
  tried_at: number | null
  status: number | null
  took_ms: number | null
  error: string | null
  delivered_at: number | null
}

export type BlobsTable = {
  map_id: string
  sha256: string
  size: number
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
  original: string
  large: string | null
  small: string | null
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
  /** The photo without black areas, which was removed. */
  redacts: string | null
}

export type UploadsTable = {
  map_id: string
  id: string
  feature_id: string
  maintenance_id: string | null
  person_id: string
  name: string
  size: number
  sha256: string | null
  received: number
  pieces: string
  created_at: number
  /** When it received something. */
  progress_at: number | null
}

export type BackgroundExportsTable = {
  map_id: string
  id: string
  person_id: string
  question: string
  selection: string | null
  file_name: string
  state: BackgroundExportState
  /** Rejects results of earlier attempts. */
  attempt: number
  rows_read: number
  total: number
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
  attempt: number
  settings: string
  found: string | null
  progress: string | null
  outcome: string | null
  undone: string | null
  problem: string | null
  /** Assigned early: an import that restarts after a kill keeps it. */
  import_id: string
  work_bytes: number
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
  pieces: string
}

export type ImportRecipesTable = {
  map_id: string
  source: string
  import_id: string
  columns: string
  settings: string
  imported_at: number
}

export type MaintenanceEntriesTable = {
  map_id: string
  feature_id: string
  id: string
  date: string
  text: string
  performed_by: string | null
  cost_cents: number | null
  hours: number | null
  next_due: string | null
  version: number
  created_at: number
  created_by: string | null
  import_id: string | null
}

export type MaintenanceCalendarsTable = {
  map_id: string
  secret_hash: string
  created_at: number
  created_by: string
}

export type CustomFieldsTable = {
  map_id: string
  version: number
  fields: string
  /** JSON of removed fields, whose values stay. */
  removed: string
  words_after: string | null
  changed_at: number
  changed_by: string
}

export type DrawingsTable = {
  map_id: string
  id: string
  kind: string
  geometry: string
  vertex_count: number
  name: string
  note: string
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
  token_id: string | null
  action: string
  subject: string | null
  details: string
  west: number | null
  south: number | null
  east: number | null
  north: number | null
}

export type MetadataNamesTable = {
  map_id: string
  counted_at_state: string
  names: string
}

export type ActivityReadsTable = { map_id: string; person_id: string; read_at: number }

export type OpenRecordsTable = {
  map_id: string
  feature_id: string
  page_id: string
  person_id: string
  person_name: string
  is_editing: number
  opened_at: number
  /** The last report of the page; the row expires soon after. */
  said_at: number
  /** 1 is final: ignores late reports of the page. */
  is_closed: Generated<number>
}

/** The cookie has the id, the database its SHA-256. */
export type SessionsTable = {
  id_hash: string
  person_id: string
  person_name: string
  roles: string
  id_token: string | null
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
  issuer: string
  person_id: string
  person_name: string
  scopes: string
  created_at: number
  expires_at: number
  last_used_at: number | null
}

export type SignInsTable = {
  id_hash: string
  checks: string
  return_to: string
  created_at: number
}

export type IdempotencyKeysTable = {
  person_id: string
  idempotency_key: string
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
  land_changes: LandChangesTable
  land_origins: LandOriginsTable
  land_files: LandFilesTable
  reports: ReportsTable
  report_settings: ReportSettingsTable
  report_secrets: ReportSecretsTable
  blocked_senders: BlockedSendersTable
  incident_notes: IncidentNotesTable
  work_links: WorkLinksTable
  merges: MergesTable
  merged_items: MergedItemsTable
  subscriptions: SubscriptionsTable
  incident_news: IncidentNewsTable
  incident_mails: IncidentMailsTable
  notices: NoticesTable
  land_checks: LandChecksTable
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
  own_fields: CustomFieldsTable
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
  sign_outs: { id_hash: string; provider_url: string; created_at: number }
  logout_tokens: { id_hash: string; created_at: number }
  last_roles: {
    person_digest: string
    roles: string
    signed_in_at: number
    person_name: string | null
    search_text: string | null
  }
  idempotency_keys: IdempotencyKeysTable
  migrations: { name: string; applied_at: Generated<number> }
}
