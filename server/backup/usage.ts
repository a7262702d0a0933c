export const backupUsage = `Writes all that the database holds into one file, while the server may go on running.

  npm run backup -- FILE [--force]

FILE is written as a whole or not at all, readable by its owner alone; poa-2026-05-31.backup.gz is a good name.
It fits both database engines. Sign-ins and unfinished imports are left out.

  --force   replaces FILE where it is there already
  --help    this text

The database is the one that DATA_DIR or DATABASE_URL names. docs/operations.md says more.`

export const restoreUsage = `Puts a backup into the database: all of it, or nothing. The server may go on running.

  npm run restore -- FILE [--replace]
  npm run restore -- FILE --check

The database must be empty; a server that has put in its sample data has filled it.

  --replace   gives up all that the database holds now
  --check     only reads the file and says whether it is whole; needs no database
  --help      this text

The database is the one that DATA_DIR or DATABASE_URL names. docs/operations.md says more.`
