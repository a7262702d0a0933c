import { beforeAll, expect, it } from 'vitest'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { mortonCode } from '#domain/thinning/morton.ts'
import { smallestCell } from '#domain/thinning/representatives.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  home,
  point,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const cellOf = (lng: number) => Math.floor(mortonCode(lng, home.lat) / smallestCell.codes)

function edgesOfCell(): { within: number; beyond: number } {
  const step = 1e-7
  let within: number = home.lng
  while (cellOf(within + step) === cellOf(home.lng)) within += step
  return { within, beyond: within + step }
}

onEachEngine('features at the place of a feature', (createDatabase) => {
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    const { within, beyond } = edgesOfCell()
    await storeMap(database, 'oak-hills')
    await storeMap(database, 'other')
    await storeFeatures(database, [
      anAsset({ id: 'first', type: 'water' }),
      anAsset({ id: 'second', type: 'road' }),
      anAsset({ id: 'edge', type: 'water', geometry: point(within) }),
      anAsset({ id: 'beyond', type: 'water', geometry: point(beyond) }),
      anIncident({ id: 'fire' }),
      anAsset({ id: 'elsewhere', mapId: 'other' }),
    ])
    await storeMap(database, 'clubhouse')
    await storeFeatures(
      database,
      Array.from({ length: 250 }, (_, index) => anIncident({ id: `n${index}`, mapId: 'clubhouse' })),
    )
    app = await startTestApp(database)
  })

  async function ask(query: string) {
    const page = await app.getJson<{ items: FeatureSummary[]; total: number }>(
      `/api/maps/oak-hills/features?${query}`,
    )
    expect(page.total).toBe(page.items.length)
    return page.items.map(({ id }) => id).sort()
  }

  it('are those in the same cell at every zoom, whatever their rank, including itself', async () => {
    expect(await ask('at=first')).toEqual(['edge', 'fire', 'first', 'second'])
    expect(await ask('at=edge&kind=asset')).toEqual(['edge', 'first', 'second'])
    expect(await ask('at=beyond')).toEqual(['beyond'])
  })

  it('are narrowed by the other filters', async () => {
    expect(await ask('at=first&type=water&kind=asset')).toEqual(['edge', 'first'])
  })

  it('are none if the feature is not on the map', async () => {
    expect(await ask('at=nobody')).toEqual([])
    expect(await ask('at=elsewhere')).toEqual([])
  })

  it('are listed page by page, with their exact count', async () => {
    const ids: string[] = []
    let next: string | null = null
    do {
      const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`
      const page: { items: FeatureSummary[]; total: number; next: string | null } = await app.getJson(
        `/api/maps/clubhouse/features?at=n0&kind=incident&shape=point&limit=100${after}`,
      )
      expect(page.total).toBe(250)
      ids.push(...page.items.map(({ id }) => id))
      next = page.next
    } while (next !== null)
    expect(ids).toHaveLength(250)
    expect(new Set(ids).size).toBe(250)
  })
})
