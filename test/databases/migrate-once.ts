import { migrate } from '#server/database/migrate.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'

const database = await openDatabase(JSON.parse(process.argv[2] ?? '') as DatabaseLocation)
const applied = await migrate(database)
await database.close()
console.info(applied.join(' ') || 'none')
