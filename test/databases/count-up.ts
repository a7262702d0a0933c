import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'

const database = await openDatabase(JSON.parse(process.argv[2] ?? '') as DatabaseLocation)
for (let change = 0; change < Number(process.argv[3]); change++) {
  await database.write(async (transaction) => {
    const map = await transaction.selectFrom('maps').selectAll().executeTakeFirstOrThrow()
    await transaction
      .updateTable('maps')
      .set({ updated_at: map.updated_at + 1 })
      .execute()
  })
}
await database.close()
