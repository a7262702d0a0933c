import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { backedUpTables, replacedTables, unknownTables } from './table-rules.ts'

const portableTypes = ['text', 'bigint', 'integer', 'double precision']

onEachEngine('backup', (createDatabase) => {
  const describeTables = async () => {
    const { maintenance, read } = await createDatabase()
    return maintenance.describeTables(read)
  }

  it('has a rule for every table of the migrated database', async () => {
    const tables = await describeTables()
    expect(tables.length).toBeGreaterThan(0)
    expect(unknownTables(tables)).toEqual([])
  })

  it('detects a table without a rule, and has no generated keys', async () => {
    const database = await createDatabase()
    await database.write(async (transaction) => {
      await sql`create table permits (map_id text, id text, primary key (map_id, id))`.execute(transaction)
    })
    const tables = await database.maintenance.describeTables(database.read)
    expect(unknownTables(tables)).toEqual(['permits'])
    expect(backedUpTables(tables).map(({ name }) => name)).not.toContain('permits')
    expect(replacedTables(tables).map(({ name }) => name)).not.toContain('permits')
  })

  it('contains exactly the listed tables', async () => {
    const tables = backedUpTables(await describeTables())
    expect(tables.map(({ name }) => name)).toEqual([
      'activity',
      'import_changes',
      'maps',
      'activity_reads',
      'blobs',
      'bulk_change_items',
      'bulk_changes',
      'clients',
      'drawings',
      'feature_counts',
      'feature_history',
      'features',
      'files',
      'import_recipes',
      'imports',
      'incident_mails',
      'incident_news',
      'incident_notes',
      'jobs',
      'land_changes',
      'land_files',
      'land_origins',
      'maintenance_entries',
      'map_configurations',
      'map_extents',
      'merged_items',
      'merges',
      'notices',
      'own_fields',
      'removed_features',
      'report_settings',
      'reports',
      'subscriptions',
      'work_links',
    ])
    for (const { types } of tables)
      for (const type of Object.values(types)) expect(portableTypes).toContain(type)
    // Excludes extent and words, which are derived, and feature_key, which exists only in SQLite.
    const features = tables.find(({ name }) => name === 'features')
    expect(features?.key).toEqual(['map_id', 'id'])
    expect(features?.columns).toHaveLength(31)
  })

  it('also empties excluded tables, but never the list of migrations', async () => {
    const names = replacedTables(await describeTables()).map(({ name }) => name)
    expect(names).toContain('staged_features')
    expect(names).not.toContain('migrations')
  })
})
