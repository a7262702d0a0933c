import { randomUUID } from 'node:crypto'
import { type BlobStore, readBytes, storeIdKey } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import { FixableError } from '../domain-error.ts'
import { insertStoreId, readStoreId } from './store-identity.queries.ts'

// Servers that share a database must share its file store: otherwise, files uploaded to one are missing on
// the others. The same id is stored in both.

/** Stores one id in both at the first start. Throws a FixableError if they differ. */
export async function requireOwnStore(database: Database, store: BlobStore): Promise<void> {
  // Reads the database first: its id is committed after that of the store.
  const inDatabase = await readStoreId(database.read)
  const inStore = await readId(store)
  if (inDatabase === undefined) {
    const id = inStore ?? randomUUID()
    await database.write(async (transaction) => {
      // Writes the store first: a server that is killed in between starts over.
      if ((await insertStoreId(transaction, id)) && inStore === undefined)
        await store.put(storeIdKey, Buffer.from(id))
    })
    return requireOwnStore(database, store)
  }
  if (inStore === inDatabase) return
  throw new FixableError(
    `The file store ${store.place} does not belong to this database: ` +
      `${inStore === undefined ? 'it has no id' : `its id is ${inStore}`}, and the database expects ${inDatabase}. ` +
      'Servers that share a database must share a file store: set FILE_STORE_URL, or DATA_DIR to one shared folder. ' +
      `If you moved the files here, write ${inDatabase} into ${store.place}/${storeIdKey}.`,
  )
}

async function readId(store: BlobStore): Promise<string | undefined> {
  return (await readBytes(store, storeIdKey))?.toString().trim()
}
