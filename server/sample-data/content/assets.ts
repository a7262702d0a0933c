import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { assetAreas } from './asset-areas.ts'
import { usualNature } from './asset-draft.ts'
import { assetLines } from './asset-lines.ts'
import { assetPoints } from './asset-points.ts'
import type { SampleSite } from './sample-site.ts'
import { sampleStatuses, sampleUpkeep, troubleTeller } from './upkeep.ts'

export type NewAsset = Extract<NewFeature, { kind: 'asset' }>

export function sampleAssets(site: SampleSite, random: SeededRandom): NewAsset[] {
  const large = [...assetLines(site, random), ...assetAreas(site, random)]
  const drafts = [...large, ...assetPoints(site, random.integer(18, 30), random)]
  const statuses = sampleStatuses(drafts.length, random)
  const troubleOf = troubleTeller(random)
  return drafts.map(({ nature: unusualNature, ...draft }, index) => {
    const status = statuses[index] ?? 'operational'
    const nature = unusualNature ?? usualNature[draft.type]
    return {
      kind: 'asset',
      id: `asset-${index + 1}`,
      mapId: site.plan.id,
      metadata: [],
      ...draft,
      description: `${draft.description}${troubleOf(nature, status)}`,
      status,
      ...sampleUpkeep(nature, site.today, random),
    }
  })
}
