import type { TableDescription } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { BackupError } from './backup-error.ts'

/** `kept` is in every backup. Every other rule is the reason for leaving the table out. */
type Rule = 'kept' | { leftOut: string }

/**
 * Does not compile while a table of `Tables` is missing, and a test compares it with the migrated database: who
 * adds a table decides here whether a backup keeps it.
 */
const rules: Record<keyof Tables, Rule> & Record<string, Rule> = {
  maps: 'kept',
  clients: 'kept',
  map_configurations: 'kept',
  own_fields: 'kept',
  features: 'kept',
  feature_history: 'kept',
  removed_features: 'kept',
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
  staged_features: { leftOut: 'rows of imports that are not finished; they begin again' },
  uploads: { leftOut: 'files that are still on their way; they are sent again' },
  import_drafts: { leftOut: 'imports that somebody is still preparing; their files are not in the backup' },
  import_draft_files: { leftOut: 'files of such imports; they are sent again' },
  background_exports: { leftOut: 'files that are written for somebody, and kept for a day' },
  file_store: { leftOut: 'the id of the file store: a restored database adopts that of its own' },
  metadata_names: { leftOut: 'counted from the features, when somebody asks for them' },
  maintenance_calendars: { leftOut: 'secret addresses: one that was switched off must not come back' },
  open_records: { leftOut: 'which pages have which record open: over in a minute or two' },
  webhook_endpoints: {
    leftOut: 'secrets, and receivers that a copy of the database must not send to; managers add them again',
  },
  webhook_deliveries: { leftOut: 'what was sent to them, or is about to be' },
  sessions: { leftOut: 'who is signed in: secrets, and over in a day' },
  api_tokens: { leftOut: 'secrets of programs: one that was revoked must not come back, nor hold elsewhere' },
  api_token_maps: { leftOut: 'which maps such tokens reach' },
  sign_ins: { leftOut: 'sign-ins under way: secrets, and over in minutes' },
  sign_outs: { leftOut: 'sign-outs under way: secrets, and over in minutes' },
  logout_tokens: { leftOut: 'what the identity provider said within the hour; it is told to the sessions' },
  last_roles: { leftOut: 'what the log compares a sign-in with; begins anew' },
  idempotency_keys: { leftOut: 'answers to requests that may be repeated; of no use after a restore' },
  migrations: { leftOut: 'the structure; the first line of the file names them' },
}

/** Never emptied: it says which structure the database has. */
const structure = 'migrations'

export const keptTables = (tables: readonly TableDescription[]) =>
  inOrderOfReferences(tables.filter(({ name }) => rules[name] === 'kept'))

/** What a restore empties: also what a backup leaves out, since it speaks of the former state. */
export const replacedTables = (tables: readonly TableDescription[]) =>
  inOrderOfReferences(tables.filter(({ name }) => rules[name] !== undefined && name !== structure))

/** Tables in the database that no rule speaks of: somebody else's. */
export const unknownTables = (tables: readonly TableDescription[]) =>
  tables.map(({ name }) => name).filter((name) => rules[name] === undefined)

/** Each table behind those that it refers to; otherwise by name, on both engines. */
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
