import { coldTilesOf } from './cold-tiles.ts'
import { fill, maps } from './filled-database.ts'
import { type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount } from './scale.ts'
import { budgetOf } from './tile-budget.ts'

const toRow = (error: Error): Row[] => [{ figure: 'largest tile', unit: 'B', failed: error.message }]

/** Ten million features on PostgreSQL. Takes minutes and gigabytes, so it only runs by hand. */
export async function measureTenMillion(): Promise<Row[]> {
  const count = 10 * largeCount
  const where = `${countText(count)}, PostgreSQL`
  const { location, discard } = await fill('postgres', [
    [maps.large, count],
    [maps.million, largeCount],
    [maps.tenth, tenthCount],
  ])
  try {
    // All features of a tile with ST_AsMVT would take half an hour.
    const sample = { limitMs: 100, hasPeer: false }
    const large = await coldTilesOf(location, { ...sample, mapId: maps.large, where })
    const beside = `${countText(largeCount)} beside them`
    const small = await coldTilesOf(location, { ...sample, mapId: maps.million, where: beside })
    const [slow, fast] = [large[0]?.value ?? Number.NaN, small[0]?.value ?? Number.NaN]
    const ratio: Row = {
      figure: `cold tile, p95, ${where}, relative to ${beside}`,
      value: rounded(slow / fast, 2),
      unit: 'times',
      limit: 1.2,
    }
    return [...large, ...small, ratio, ...(await budgetOf(location, maps.large, where).catch(toRow))]
  } finally {
    await discard()
  }
}
