import type { ReactNode } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const FeatureFiles = lazyPart(() =>
  import('#web/files/feature-files.tsx').then((module) => module.FeatureFiles),
)

/** The photos and documents among the details of a feature. */
export function filesFor(mayEdit: boolean) {
  return (feature: FeatureDetail): ReactNode => (
    <Guard what="Photos and files" layout="inline" subject={feature.id} waiting={null}>
      <FeatureFiles key={feature.id} feature={feature} mayEdit={mayEdit} />
    </Guard>
  )
}
