import type { Tables } from '#server/database/tables.ts'

type Sharding = 'distributed' | { reference: string } | { local: string }

/** Distributed by map_id, copied to every node (reference), or only on the coordinator (local). */
export const shardings: Record<keyof Tables, Sharding> = {
  maps: 'distributed',
  clients: 'distributed',
  map_configurations: 'distributed',
  features: 'distributed',
  feature_history: 'distributed',
  removed_features: 'distributed',
  land_changes: 'distributed',
  land_origins: 'distributed',
  land_files: 'distributed',
  reports: 'distributed',
  report_settings: 'distributed',
  report_secrets: 'distributed',
  blocked_senders: 'distributed',
  incident_notes: 'distributed',
  work_links: 'distributed',
  merges: 'distributed',
  merged_items: 'distributed',
  subscriptions: 'distributed',
  incident_news: 'distributed',
  incident_mails: 'distributed',
  notices: 'distributed',
  land_checks: 'distributed',
  jobs: 'distributed',
  bulk_changes: 'distributed',
  bulk_change_items: 'distributed',
  blobs: 'distributed',
  files: 'distributed',
  uploads: 'distributed',
  background_exports: 'distributed',
  file_store: { reference: 'One row that identifies the file store, read next to files.' },
  import_drafts: 'distributed',
  import_draft_files: 'distributed',
  import_recipes: 'distributed',
  maintenance_entries: 'distributed',
  maintenance_calendars: {
    reference: 'Read by the secret in the address of a calendar, before the map is known.',
  },
  own_fields: 'distributed',
  drawings: 'distributed',
  feature_counts: 'distributed',
  map_extents: 'distributed',
  metadata_names: 'distributed',
  staged_features: 'distributed',
  imports: 'distributed',
  import_changes: 'distributed',
  activity: 'distributed',
  activity_reads: 'distributed',
  open_records: 'distributed',
  webhook_endpoints: 'distributed',
  webhook_deliveries: 'distributed',
  sessions: { local: 'Read by the hash of the cookie, before the map is known.' },
  sign_ins: { local: 'Read by the hash of the cookie, before the map is known.' },
  api_tokens: {
    reference: 'Read by the hash of the token, before the map is known; a token can reach several maps.',
  },
  api_token_maps: { reference: 'Read with the token, before the map is known.' },
  sign_outs: { local: 'Belongs to a browser, not to a map.' },
  logout_tokens: { local: 'Belongs to the identity provider, not to a map.' },
  last_roles: { local: 'Belongs to a person, who can have roles on several maps.' },
  idempotency_keys: { local: 'Read by person and key, before the map is known.' },
  migrations: { local: 'Migrations run on the coordinator.' },
}

/** Keys to drop before sharding, each with its reason. */
export const droppedKeys: Record<string, string> = {
  api_token_maps_map_id_fkey: 'A reference table cannot refer to a distributed table.',
  maintenance_calendars_map_id_fkey: 'A reference table cannot refer to a distributed table.',
}

export const isDistributed = (table: string) => shardings[table as keyof Tables] === 'distributed'

type Exception = { tables: string; reason: string }

const everyTable = Object.keys(shardings).join(' ')

const several = (tables: string): Exception => ({ tables, reason: 'Reads a page or list of several maps.' })
const cleanup = (tables: string): Exception => ({
  tables,
  reason: 'A job that deletes old rows of all maps.',
})
const due = (tables: string): Exception => ({ tables, reason: 'Looks for the next work, of any map.' })
const whole: Exception = { tables: everyTable, reason: 'Backs up, restores or maintains the whole database.' }

/** Functions of the product, `callback` if without a name, and the distributed tables that they read on all maps. */
export const statementsOfAllMaps: Readonly<Record<string, Exception>> = {
  'server/activity/activity.queries.ts readActivitySince': {
    tables: 'activity',
    reason: 'A server follows the changes of all maps.',
  },
  'server/activity/activity.queries.ts readCurrentVersions': {
    tables: 'activity drawings clients map_configurations features reports',
    reason: 'A server follows the changes of all maps.',
  },
  'server/backup/backup.queries.ts deleteAll': whole,
  'server/backup/backup.queries.ts hasRows': whole,
  'server/backup/backup.queries.ts readMapIds': whole,
  'server/backup/backup.queries.ts readPage': whole,
  'server/clients/attention.queries.ts readAttention': several('features'),
  'server/clients/clients.queries.ts readList': several('clients maps features feature_counts'),
  'server/clients/store-clients.queries.ts readMapIdsBetween': {
    tables: 'maps',
    reason: 'Chooses an unused id for a new map.',
  },
  'server/database/postgres-maintenance.ts keepWritersOut': whole,
  'server/database/postgres-maintenance.ts tidyUp': whole,
  'server/database/postgres-maintenance.ts withoutTriggers': whole,
  'server/exports/background-exports.queries.ts readExpiredExports': cleanup('background_exports'),
  'server/features/maintenance/calendars.queries.ts findCalendar': {
    tables: 'clients',
    reason: 'Finds the map by the secret of a calendar.',
  },
  'server/files/files.queries.ts forgetFiles': cleanup(
    'files features removed_features reports maintenance_entries',
  ),
  'server/files/files.queries.ts readUnnamedBlobs': cleanup('blobs'),
  'server/files/uploads.queries.ts readOldUploads': cleanup('uploads'),
  'server/health/health.queries.ts pingDatabase': {
    tables: 'maps',
    reason: 'Checks that the database answers.',
  },
  'server/identity/api-tokens.queries.ts toApiTokens': several('clients'),
  'server/identity/people.queries.ts readMapNames': several('clients'),
  'server/imports/publishing/imports.queries.ts discardImportsBefore': cleanup('staged_features imports'),
  'server/imports/publishing/imports.queries.ts findImports': {
    tables: 'imports',
    reason: 'The command line finds an import by its id alone.',
  },
  'server/subscriptions/operators-digest.queries.ts queueOperatorsDigest': {
    tables: 'jobs maps',
    reason: 'The digest of all maps is a job of one of them.',
  },
  'server/reports/blocked-senders.queries.ts deleteOldBlocks': cleanup('blocked_senders'),
  'server/reports/reports.queries.ts eraseReporters': cleanup('reports'),
  'server/subscriptions/subscriptions.queries.ts eraseSubscribers': cleanup('subscriptions incident_mails'),
  'server/work/work-links.queries.ts eraseContractors': cleanup('work_links'),
  'server/jobs/jobs.queries.ts callback': due('jobs'),
  'server/jobs/jobs.queries.ts countDeadJobs': several('jobs'),
  'server/jobs/jobs.queries.ts isAnyJobDue': due('jobs'),
  'server/jobs/jobs.queries.ts listJobs': several('jobs'),
  'server/maps/maps.queries.ts readMapIds': {
    tables: 'maps',
    reason: 'The return path of an email has a hash of the map.',
  },
  'server/maps/maps.queries.ts readDefaultMapId': several('clients'),
  'server/thinning/read-totals.queries.ts countAllFeatures': {
    tables: 'feature_counts',
    reason: 'Compares an import with the whole database.',
  },
  'server/thinning/read-totals.queries.ts countParcels': several('feature_counts'),
  'server/webhooks/webhooks.queries.ts callback': due('webhook_endpoints webhook_deliveries'),
  'server/webhooks/webhooks.queries.ts isAnyDeliveryDue': due('webhook_endpoints webhook_deliveries'),
  'server/webhooks/webhooks.queries.ts removeOldDeliveries': cleanup('webhook_deliveries webhook_endpoints'),
}
