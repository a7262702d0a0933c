import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Camera } from '#web/workspace/map-camera.ts'
import type { Known } from '#web/workspace/opening-camera.ts'

type Followed = {
  openingCameraOf(known: Known): Camera
  configuration: MapConfigurationAnswer | undefined
  summary: MapSummary | undefined
  /** Map and list: whoever touches them has chosen what to look at. */
  screenRef: RefObject<HTMLElement | null>
  /** The address says where to look. */
  isPlaced: boolean
  onShow(camera: Camera): void
}

/**
 * Staff applied other settings while the page is open, or what the map opens by could not be had before: a page that
 * nobody has touched goes where it would open now. Any other stays where it is.
 */
export function useFollowConfiguration(followed: Followed) {
  const { openingCameraOf, configuration, summary, screenRef, isPlaced, onShow } = followed
  const isTouched = useRef(isPlaced)
  useEffect(() => {
    const screen = screenRef.current
    const touch = () => {
      isTouched.current = true
    }
    const gestures = ['pointerdown', 'wheel', 'keydown'] as const
    for (const gesture of gestures) screen?.addEventListener(gesture, touch, { capture: true, passive: true })
    return () => {
      for (const gesture of gestures) screen?.removeEventListener(gesture, touch, { capture: true })
    }
  }, [screenRef])

  const version = configuration?.version
  const hasSummary = summary !== undefined
  const known = useRef({ version, hasSummary })
  const follow = useEffectEvent(() => {
    if (isTouched.current) return
    onShow(openingCameraOf({ fromAddress: undefined, selection: undefined, configuration, summary }))
  })
  useEffect(() => {
    const before = known.current
    known.current = { version, hasSummary }
    if (version !== before.version || (hasSummary && !before.hasSummary)) follow()
  }, [version, hasSummary])
}
