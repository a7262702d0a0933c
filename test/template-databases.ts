// Migrated, empty databases that every test's database is a copy of: migrating takes longer than most tests.

/** On the PostgreSQL server of the tests. */
export const templateDatabase = 'migrated'
/** In a data directory; SQLite's template is one of those. */
export const sqliteFileName = 'poa.sqlite'
