import type { Map as EngineMap, ErrorEvent, MapSourceDataEvent } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { isBaseSource } from './base-map-layers.tsx'
import { featureSource } from './feature-layers.tsx'

export type MapState = 'loading' | 'busy' | 'complete'

/** Whether everything in view is drawn, and which of its sources cannot be reached. */
export function useMapHealth(map: EngineMap | null, baseMap: BaseMap) {
  const [state, setState] = useState<MapState>('loading')
  const [awayBaseMap, setAwayBaseMap] = useState<BaseMap | null>(null)
  const [isDataAway, setIsDataAway] = useState(false)

  useEffect(() => {
    if (!map) return
    const complete = () => {
      setState('complete')
      if (performance.getEntriesByName('map-complete').length === 0) performance.mark('map-complete')
    }
    const busy = () => setState('busy')
    const arrived = (event: MapSourceDataEvent) => {
      const hasTile = event.dataType === 'source' && event.tile !== undefined
      if (hasTile && isBaseSource(event.sourceId) && event.tile.state === 'loaded') setAwayBaseMap(null)
    }
    map.on('idle', complete)
    map.on('movestart', busy)
    map.on('dataloading', busy)
    map.on('sourcedata', arrived)
    return () => {
      map.off('idle', complete)
      map.off('movestart', busy)
      map.off('dataloading', busy)
      map.off('sourcedata', arrived)
    }
  }, [map])

  function onError(event: ErrorEvent & { sourceId?: string }) {
    if (isBaseSource(event.sourceId)) setAwayBaseMap(baseMap)
    else if (event.sourceId === featureSource) setIsDataAway(true)
    else console.error(event.error)
  }

  return {
    state,
    isBaseMapAway: awayBaseMap === baseMap,
    isDataAway,
    onError,
    forgetDataErrors: () => setIsDataAway(false),
  }
}
