import { expect, it } from 'vitest'
import { onEngine } from '#test/databases.ts'
import { startNode } from '#test/processes.ts'
import { insertMap } from '../clients/store-clients.queries.ts'

onEngine('sqlite', 'write', (createDatabase) => {
  it('lets other processes wait, so that none fails and no change is lost', async () => {
    const { location, ...database } = await createDatabase()
    await database.write((transaction) => insertMap(transaction, 'a-map', 0))
    const args = [JSON.stringify(location), '25']
    const processes = Array.from({ length: 4 }, () => startNode('test/count-up.ts', args))
    for (const one of processes) expect(await one.exited, one.output()).toBe(0)
    const map = await database.read.selectFrom('maps').selectAll().executeTakeFirstOrThrow()
    expect(map.updated_at).toBe(100)
  })
})
