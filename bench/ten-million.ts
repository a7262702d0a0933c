import { coldTilesOf } from './cold-tiles.ts'
import { fill, maps } from './filled-database.ts'
import type { Row } from './row.ts'
import { countText, largeCount, tenthCount } from './scale.ts'
import { budgetOf } from './tile-budget.ts'

/** Ten million features on PostgreSQL. Takes minutes and gigabytes, so it only runs by hand. */
export async function measureTenMillion(): Promise<Row[]> {
  const count = 10 * largeCount
  const where = `${countText(count)}, PostgreSQL`
  const { location, discard } = await fill('postgres', [
    [maps.large, count],
    [maps.tenth, tenthCount],
  ])
  try {
    return [
      ...(await budgetOf(location, maps.large, where)),
      ...(await coldTilesOf(location, { mapId: maps.large, where, limitMs: 100 })),
    ]
  } finally {
    await discard()
  }
}
