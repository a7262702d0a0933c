export const backupUsage = `Writes all that the database holds into one file, while the server may go on running.

  npm run backup -- FILE [--force] [--with-files]

FILE is written as a whole or not at all, readable by its owner alone; poa-2026-05-31.backup.gz is a good name.
It fits both database engines. Sign-ins and unfinished imports are left out.

  --force        replaces FILE where it is there already
  --with-files   writes photos and documents, too, into FILE.files.tar
  --help         this text

The database is the one that DATA_DIR or DATABASE_URL names. docs/operations.md says more.`

export const restoreUsage = `Puts a backup into the database: all of it, or nothing. The server may go on running.

  npm run restore -- FILE [--replace] [--with-files]
  npm run restore -- FILE --check [--with-files]

The database must be empty; a server that has put in its sample data has filled it.

  --replace      gives up all that the database holds now
  --with-files   puts the photos and documents of FILE.files.tar back, too
  --check        only reads the file and says whether it is whole; needs no database
  --help         this text

The database is the one that DATA_DIR or DATABASE_URL names. docs/operations.md says more.`
