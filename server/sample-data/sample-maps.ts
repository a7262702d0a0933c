import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import {
  defaultMapConfiguration,
  type MapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { mainViewBaseMaps } from '#domain/map-configuration/map-constants.ts'
import { startOfDay } from './calendar.ts'
import { featuresOfSite, sampleSite } from './content/sample-association.ts'
import { viewerFeatures } from './content/viewer-features.ts'
import { landThumbnail } from './land/land-thumbnail.ts'
import { samplePlans } from './plans/sample-plans.ts'

export type SampleMap = {
  mapId: string
  /** Null for the reserved map. */
  client: { id: string; name: string; location: string; thumbnail: string | null } | null
  features: NewFeature[]
  /** Applied from the start. */
  configuration: MapConfiguration
}

/** Every map of the sample data. The same UTC day gives the same bytes. */
export function sampleMaps(now: Date): SampleMap[] {
  const today = startOfDay(now)
  const maps = samplePlans.map((plan): SampleMap => {
    const site = sampleSite(plan, today)
    const { id, name, location } = plan
    const thumbnail = plan.hasThumbnail ? landThumbnail(site.land) : null
    return {
      mapId: id,
      client: { id, name, location, thumbnail },
      features: featuresOfSite(site),
      // Section 3, 'Parcel' and 'Incident': the specification shows owners, taxes and reporters. These are invented.
      configuration: { ...opening, center: plan.center, showPersonalData: true },
    }
  })
  return [...maps, sampleMap()]
}

const opening: MapConfiguration = { ...defaultMapConfiguration, mapTypes: [...mainViewBaseMaps] }

function sampleMap(): SampleMap {
  const features = viewerFeatures()
  const names = new Set(features.flatMap(({ metadata }) => metadata.map(({ name }) => name)))
  return {
    mapId: sampleMapId,
    client: null,
    features,
    configuration: { ...opening, publicMetadata: [...names] },
  }
}
