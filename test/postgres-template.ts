/** Name of the migrated, empty database that every test's database on PostgreSQL is a copy of. */
export const templateDatabase = 'migrated'
