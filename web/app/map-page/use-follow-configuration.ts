import { useEffect, useEffectEvent, useState } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Camera } from './map-search.ts'
import { openingCamera } from './opening-camera.ts'

type Followed = {
  configuration: MapConfigurationAnswer | undefined
  summary: MapSummary | undefined
  /** What the map shows; null until it is there. */
  camera: Camera | null
  onShow(camera: Camera): void
}

/**
 * Staff applied other settings while the page is open: a map that still shows where it opened goes where it would
 * open now. One that was moved by hand stays.
 */
export function useFollowConfiguration({ configuration, summary, camera, onShow }: Followed) {
  const version = configuration?.version
  const opening = openingCamera({ fromAddress: undefined, selection: undefined, configuration, summary })
  const [known, setKnown] = useState({ version, opening })
  const [target, setTarget] = useState<Camera | null>(null)
  if (version !== known.version) {
    setKnown({ version, opening })
    if (camera && isSameView(camera, known.opening)) setTarget(opening)
  }
  const show = useEffectEvent(onShow)
  useEffect(() => {
    if (target) show(target)
  }, [target])
}

/** Bounds and rounding move a map by a few pixels. */
const tolerancePixels = 8
const toleranceZoom = 0.05

function isSameView(a: Camera, b: Camera): boolean {
  const degreesPerPixel = 360 / (256 * 2 ** b.zoom)
  const isNear = (one: number, other: number) => Math.abs(one - other) <= tolerancePixels * degreesPerPixel
  return isNear(a.lat, b.lat) && isNear(a.lng, b.lng) && Math.abs(a.zoom - b.zoom) <= toleranceZoom
}
