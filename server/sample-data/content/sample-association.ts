import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Today } from '../calendar.ts'
import { localFrame } from '../land/local-frame.ts'
import { surveyLand } from '../land/survey.ts'
import type { SamplePlan } from '../plans/sample-plan.ts'
import { seededRandom } from '../seeded-random.ts'
import { sampleAssets } from './assets.ts'
import { sampleIncidents } from './incidents.ts'
import { sampleParcels } from './parcels.ts'
import type { SampleSite } from './sample-site.ts'

/** Every part has its own seed, so that a change in one leaves the others as they were. */
export function sampleSite(plan: SamplePlan, today: Today): SampleSite {
  const land = surveyLand(plan.land, seededRandom(`${plan.id} land`))
  const frame = localFrame(plan.center)
  const parcels = sampleParcels({ plan, land, frame, today }, seededRandom(`${plan.id} parcels`))
  return { plan, land, frame, parcels, today }
}

export function featuresOfSite(site: SampleSite): NewFeature[] {
  return [
    ...site.parcels.map((parcel) => parcel.feature),
    ...sampleAssets(site, seededRandom(`${site.plan.id} assets`)),
    ...sampleIncidents(site, seededRandom(`${site.plan.id} incidents`)),
  ]
}
