import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Camera, readCamera, writeCamera } from './map-camera.ts'

/** Navigation by the page is PUSH or REPLACE. */
const travels = new Set(['BACK', 'FORWARD', 'GO'])

export function useMapAddress<Search extends object>(onCameraFromHistory: (camera: Camera) => void) {
  const search = useSearch({ strict: false }) as unknown as Search
  const hash = useLocation({ select: (location) => location.hash })
  const { history } = useRouter()
  const navigate = useNavigate()
  // The router updates its location asynchronously.
  const latestHash = useRef(hash)
  const follow = useEffectEvent((camera: Camera) => onCameraFromHistory(camera))

  // Back, forward and a hash edited by hand move the map.
  useEffect(
    () =>
      history.subscribe(({ location, action }) => {
        if (!travels.has(action.type)) return
        latestHash.current = location.hash.replace(/^#/, '')
        const camera = readCamera(location.hash)
        if (camera) follow(camera)
      }),
    [history],
  )

  return {
    search,
    camera: readCamera(hash),
    /** `isStep` adds an entry to the history; otherwise the current one is replaced. */
    update(changes: Partial<Search> | ((current: Search) => Partial<Search>), { isStep = false } = {}) {
      const changesOf = typeof changes === 'function' ? changes : () => changes
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, ...changesOf(current as Search) }),
        hash: latestHash.current,
        replace: !isStep,
        resetScroll: false,
      })
    },
    writeCamera(camera: Camera) {
      const next = writeCamera(camera)
      if (next === latestHash.current) return
      latestHash.current = next
      void navigate({ to: '.', search: true, hash: next, replace: true, resetScroll: false })
    },
  }
}
