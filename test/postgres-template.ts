/** Name of the migrated, empty database that every test's database on PostgreSQL is a copy of. */
export const templateDatabase = 'migrated'

/**
 * Name of a database with PostGIS and nothing else, for those that nobody has migrated yet: to bring the extension in
 * takes longer than all migrations, and one run of them from nothing, which makes the template, shows that they do it.
 */
export const postgisDatabase = 'with_postgis'
