import type { RefObject } from 'react'
import type { MapHandle } from '#web/map/map-view.tsx'

type FeaturesSectionProps = {
  mapId: string
  selectedId: string | undefined
  onSelect(id: string | undefined): void
  mapRef: RefObject<MapHandle | null>
}

export function FeaturesSection(_props: FeaturesSectionProps) {
  return <h1>Map Features</h1>
}
