import type { GeneralFeature } from '#domain/features/feature.schema.ts'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { formatPlace } from '#web/ui/measures.ts'
import { StatusBadge } from './badges.tsx'
import { MetadataFacts } from './metadata.tsx'

export function GeneralFacts({ feature }: { feature: GeneralFeature }) {
  return (
    <>
      <Prose>{feature.description}</Prose>
      <FactList>
        <Fact label="Status">
          <StatusBadge status={feature.status} />
        </Fact>
        <Fact label="Feature type">{feature.featureType}</Fact>
        <Fact label="Location">{formatPlace(feature.location)}</Fact>
        <Fact label="Id">{feature.id}</Fact>
        <MetadataFacts feature={feature} />
      </FactList>
    </>
  )
}
