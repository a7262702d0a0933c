import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { assetAreas } from './asset-areas.ts'
import { assetLines } from './asset-lines.ts'
import { assetPoints } from './asset-points.ts'
import type { SampleSite } from './sample-site.ts'
import { sampleStatuses, sampleUpkeep, withTrouble } from './upkeep.ts'

export type NewAsset = Extract<NewFeature, { kind: 'asset' }>

export function sampleAssets(site: SampleSite, random: SeededRandom): NewAsset[] {
  const large = [...assetLines(site, random), ...assetAreas(site, random)]
  const drafts = [...large, ...assetPoints(site, random.integer(18, 30), random)]
  const statuses = sampleStatuses(drafts.length, random)
  return drafts.map((draft, index) => {
    const status = statuses[index] ?? 'operational'
    return {
      kind: 'asset',
      id: `asset-${index + 1}`,
      mapId: site.plan.id,
      metadata: [],
      ...draft,
      description: withTrouble(draft.description, draft.type, status, random),
      status,
      ...sampleUpkeep(draft.type, site.today, random),
    }
  })
}
