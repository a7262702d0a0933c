import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Camera, readCamera, writeCamera } from './map-camera.ts'

/** What the person did with the browser's history; our own steps are PUSH and REPLACE. */
const travels = new Set(['BACK', 'FORWARD', 'GO'])

/** Everything a person may share stands in the address: reading it, and writing to it. */
export function useMapAddress<Search extends object>(onCameraFromHistory: (camera: Camera) => void) {
  const search = useSearch({ strict: false }) as unknown as Search
  const hash = useLocation({ select: (location) => location.hash })
  const { history } = useRouter()
  const navigate = useNavigate()
  // The router shows what was navigated to a little later; here it is known at once.
  const latestHash = useRef(hash)
  const follow = useEffectEvent((camera: Camera) => onCameraFromHistory(camera))

  // Back, forward and a hash typed by hand move the map.
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
    /** A selection is a step that 'back' takes back; everything else only changes the present one. */
    update(changes: Partial<Search> | ((present: Search) => Partial<Search>), { isStep = false } = {}) {
      const changesOf = typeof changes === 'function' ? changes : () => changes
      void navigate({
        to: '.',
        search: (present: object) => ({ ...present, ...changesOf(present as Search) }),
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
