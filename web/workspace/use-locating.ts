import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { partsOfBox } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { selectionZoom } from '#domain/map-configuration/map-constants.ts'
import type { MapHandle } from '#web/map/map-view.tsx'
import { type DeviceLocation, watchDeviceLocation } from '#web/ui/device-location.ts'
import type { Camera } from './map-camera.ts'

type LocatingOptions = {
  mapRef: RefObject<MapHandle | null>
  bounds: Bounds | null
  camera: Camera | undefined
}

const outside = 'You are outside of this map.'

/** Shows where the device is, and follows it until the user moves the map. */
export function useLocating({ mapRef, bounds, camera }: LocatingOptions) {
  const [isOn, setIsOn] = useState(false)
  const [isFollowing, setIsFollowing] = useState(false)
  const [location, setLocation] = useState<DeviceLocation | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const receive = useEffectEvent((found: DeviceLocation) => {
    setLocation(found)
    const isOutside = bounds !== null && !isWithin(bounds, found)
    setProblem(isOutside ? outside : null)
    if (isOutside) setIsFollowing(false)
    else if (isFollowing) show(found)
  })
  const fail = useEffectEvent((reason: string) => {
    // A device that was found once may be out of reach for a while.
    if (location) return
    stop()
    setProblem(reason)
  })
  useEffect(() => {
    if (isOn) return watchDeviceLocation({ onLocation: receive, onProblem: fail })
  }, [isOn])

  // Any other move ends the following; the flight to the location ends there.
  const [seen, setSeen] = useState(camera)
  if (camera !== seen) {
    setSeen(camera)
    if (isFollowing && location && camera && !isAt(camera, location)) setIsFollowing(false)
  }

  function show({ lat, lng }: DeviceLocation) {
    mapRef.current?.flyTo({ lat, lng, zoom: Math.max(selectionZoom, camera?.zoom ?? 0) })
  }
  function stop() {
    setIsOn(false)
    setIsFollowing(false)
    setLocation(null)
  }
  function toggle() {
    setProblem(null)
    if (isOn && (isFollowing || problem === outside)) return stop()
    setIsOn(true)
    setIsFollowing(true)
    if (location) show(location)
  }
  return {
    location,
    problem,
    isFollowing: isFollowing && location !== null,
    isSearching: isOn && location === null,
    toggle,
    dismiss: () => setProblem(null),
  }
}
export type Locating = ReturnType<typeof useLocating>

const isWithin = (bounds: Bounds, { lat, lng }: DeviceLocation) =>
  partsOfBox(bounds).some(
    ({ north, east, south, west }) => lat <= north && lat >= south && lng <= east && lng >= west,
  )

const tilePixels = 256
const tolerancePixels = 4

function isAt(camera: Camera, { lat, lng }: DeviceLocation): boolean {
  const degrees = (360 * tolerancePixels) / (tilePixels * 2 ** camera.zoom)
  return Math.abs(camera.lat - lat) < degrees && Math.abs(camera.lng - lng) < degrees
}
