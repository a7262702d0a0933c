import type { TableDescription } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { BackupError } from './backup-format.ts'

/** `kept` is in every backup. Any other rule is the reason for excluding a table. */
type Rule = 'kept' | { leftOut: string }

/** A missing table of `Tables` does not compile, and a test compares the rules with the migrated database. */
const rules: Record<keyof Tables, Rule> & Record<string, Rule> = {
  maps: 'kept',
  clients: 'kept',
  map_configurations: 'kept',
  own_fields: 'kept',
  features: 'kept',
  feature_history: 'kept',
  removed_features: 'kept',
  land_changes: 'kept',
  land_origins: 'kept',
  land_files: 'kept',
  reports: 'kept',
  report_settings: 'kept',
  incident_notes: 'kept',
  work_links: 'kept',
  merges: 'kept',
  merged_items: 'kept',
  subscriptions: 'kept',
  incident_news: 'kept',
  incident_mails: 'kept',
  notices: 'kept',
  jobs: 'kept',
  bulk_changes: 'kept',
  bulk_change_items: 'kept',
  blobs: 'kept',
  files: 'kept',
  maintenance_entries: 'kept',
  drawings: 'kept',
  feature_counts: 'kept',
  map_extents: 'kept',
  imports: 'kept',
  import_changes: 'kept',
  import_recipes: 'kept',
  activity: 'kept',
  activity_reads: 'kept',
  staged_features: { leftOut: 'rows of unfinished imports, which start again' },
  uploads: { leftOut: 'unfinished uploads, which are sent again' },
  import_drafts: { leftOut: 'unfinished imports, whose files are not in the backup' },
  import_draft_files: { leftOut: 'files of unfinished imports, which are uploaded again' },
  land_checks: { leftOut: 'results of a check that can be repeated' },
  background_exports: { leftOut: 'exported files, which expire after a day' },
  file_store: { leftOut: 'the id of the file store: a restored database has another' },
  metadata_names: { leftOut: 'derived from the features on demand' },
  report_secrets: { leftOut: 'secrets that sign challenges and hash addresses: created when needed' },
  blocked_senders: { leftOut: 'hashes with such a secret, obsolete within 30 days' },
  maintenance_calendars: { leftOut: 'secret addresses: a revoked one must not return' },
  open_records: { leftOut: 'records open in pages: obsolete in two minutes' },
  webhook_endpoints: {
    leftOut: 'secrets, and receivers that a copy of the database must not send to',
  },
  webhook_deliveries: { leftOut: 'messages to such receivers' },
  sessions: { leftOut: 'secrets, which expire in a day' },
  api_tokens: { leftOut: 'secrets: a revoked one must not return, nor be valid elsewhere' },
  api_token_maps: { leftOut: 'maps of such tokens' },
  sign_ins: { leftOut: 'secrets, which expire in minutes' },
  sign_outs: { leftOut: 'secrets, which expire in minutes' },
  logout_tokens: { leftOut: 'obsolete in an hour' },
  last_roles: { leftOut: 'noted again at each sign-in' },
  idempotency_keys: { leftOut: 'responses to repeated requests: useless after a restore' },
  migrations: { leftOut: 'the first line of a backup has them' },
}

export const backedUpTables = (tables: readonly TableDescription[]) =>
  inOrderOfReferences(tables.filter(({ name }) => rules[name] === 'kept'))

export const replacedTables = (tables: readonly TableDescription[]) =>
  inOrderOfReferences(tables.filter(({ name }) => rules[name] !== undefined && name !== 'migrations'))

export const unknownTables = (tables: readonly TableDescription[]) =>
  tables.map(({ name }) => name).filter((name) => rules[name] === undefined)

/** Sorts each table after the tables that it references, and otherwise by name, on both engines. */
function inOrderOfReferences(tables: readonly TableDescription[]): TableDescription[] {
  const waiting = new Map(
    tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((table) => [table.name, table]),
  )
  const ordered: TableDescription[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ name, references }) =>
      references.every((other) => other === name || !waiting.has(other)),
    )
    if (!next) throw new BackupError(`The tables ${[...waiting.keys()].join(', ')} refer to each other.`)
    waiting.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
