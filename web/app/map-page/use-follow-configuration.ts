import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Camera } from '#web/workspace/map-camera.ts'
import type { OpeningState } from '#web/workspace/opening-camera.ts'

type Followed = {
  openingCameraOf(state: OpeningState): Camera
  configuration: MapConfigurationAnswer | undefined
  summary: MapSummary | undefined
  /** Any input here counts as the user's own choice of view. */
  screenRef: RefObject<HTMLElement | null>
  isPlaced: boolean
  onShow(camera: Camera): void
}

/** Moves an untouched map to its new opening camera when staff apply other settings, or when the data arrives late. */
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
  const previous = useRef({ version, hasSummary })
  const follow = useEffectEvent(() => {
    if (isTouched.current) return
    onShow(openingCameraOf({ fromAddress: undefined, selection: undefined, configuration, summary }))
  })
  useEffect(() => {
    const before = previous.current
    previous.current = { version, hasSummary }
    if (version !== before.version || (hasSummary && !before.hasSummary)) follow()
  }, [version, hasSummary])
}
