import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/feature-builders.ts'
import type { ListPosition } from '../features/features.queries.ts'
import { readItems } from './read-items.ts'

onEachEngine('a page of items', (createDatabase) => {
  it('ends where the answer is full, and the next one goes on from there', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const rows = await storeFeatures(
      database,
      Array.from({ length: 7 }, (_, index) => anAsset({ id: `tank-${index}` })),
    )
    const bytes = rows[0]?.geometry.length ?? 0
    const asker = { mapId: 'oak-hills', signal: new AbortController().signal }
    for (const [room, lengths] of [
      [1, [1, 1, 1, 1, 1, 1, 1]],
      [bytes * 3, [3, 3, 1]],
      [bytes * 7, [5, 2]],
    ] as const) {
      const pages: string[][] = []
      let after: ListPosition | undefined
      do {
        const page = await readItems(database, asker, { kind: ['asset'] }, { limit: 5, after }, room)
        expect(page.total).toBe(7)
        pages.push(page.rows.map(({ id }) => id))
        after = page.last ?? undefined
      } while (after)
      expect(pages.map((page) => page.length)).toEqual(lengths)
      expect(pages.flat().sort()).toEqual(rows.map(({ id }) => id))
    }
  })
})
