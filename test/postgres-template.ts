export const templateDatabase = 'migrated'

/** Creating the extension takes longer than all migrations, so tests of migrations copy a database with PostGIS. */
export const postgisDatabase = 'with_postgis'
