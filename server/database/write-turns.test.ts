import { expect, it } from 'vitest'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { insertMap } from '../clients/store-clients.queries.ts'
import { openDatabase } from './open-database.ts'
import { writingClient } from './write-turns.ts'

onEngine('sqlite', 'writers of one process', (createDatabase) => {
  it('take turns by client, each in order', async () => {
    const database = await createDatabase()
    const order: string[] = []
    const write = (client: string, name: string) =>
      writingClient.run(client, () =>
        database.write(async (transaction) => {
          await insertMap(transaction, `map-${name}`, 0)
          order.push(name)
        }),
      )
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => write('a', name)),
      ...['b1', 'b2'].map((name) => write('b', name)),
      database.write(async () => void order.push('job')),
    ])
    expect(order).toEqual(['a1', 'b1', 'job', 'a2', 'b2', 'a3', 'a4'])
  })

  it('continue after a failure', async () => {
    const database = await createDatabase()
    const failing = database.write(async () => {
      throw new Error('refused')
    })
    const next = database.write(async () => 'written')
    await expect(failing).rejects.toThrow('refused')
    expect(await next).toBe('written')
  })
})

onEachEngine('a writer', (createDatabase) => {
  it('waits for another write without blocking readers', async () => {
    const first = await createDatabase()
    const second = await openDatabase(first.location)
    const holdLock = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const ends: string[] = []
    const holding = first.write(async (transaction) => {
      await insertMap(transaction, 'a-map', 0)
      isHeld.resolve()
      await holdLock.promise
      ends.push('first')
    })
    await isHeld.promise
    const writing = second
      .write(async (transaction) => {
        await transaction
          .insertInto('maps')
          .values({ map_id: 'a-map', created_at: 1, updated_at: 1 })
          .onConflict((conflict) => conflict.column('map_id').doUpdateSet({ updated_at: 1 }))
          .execute()
      })
      .then(() => ends.push('second'))
    expect(await second.read.selectFrom('maps').selectAll().execute()).toEqual([])
    holdLock.resolve()
    await Promise.all([holding, writing])
    expect(ends).toEqual(['first', 'second'])
    const maps = await first.read.selectFrom('maps').select('updated_at').execute()
    expect(maps).toEqual([{ updated_at: 1 }])
    await second.close()
  })
})
