import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Camera, type MapSearch, readCamera, writeCamera } from './map-search.ts'

/** Everything a person may share stands in the address: reading it, and writing to it. */
export function useMapAddress(onCameraFromHistory: (camera: Camera) => void) {
  const search = useSearch({ strict: false }) as MapSearch
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const writtenHash = useRef(hash)
  const follow = useEffectEvent((camera: Camera) => onCameraFromHistory(camera))

  // Back, forward and a hash typed by hand move the map; what the map itself wrote does not.
  useEffect(() => {
    if (hash === writtenHash.current) return
    writtenHash.current = hash
    const camera = readCamera(hash)
    if (camera) follow(camera)
  }, [hash])

  return {
    search,
    camera: readCamera(hash),
    /** A selection is a step that 'back' takes back; everything else only changes the present one. */
    update(changes: Partial<MapSearch>, { isStep = false } = {}) {
      void navigate({
        to: '.',
        search: (previous: MapSearch) => ({ ...previous, ...changes }),
        hash: true,
        replace: !isStep,
        resetScroll: false,
      })
    },
    writeCamera(camera: Camera) {
      const next = writeCamera(camera)
      if (next === writtenHash.current) return
      writtenHash.current = next
      void navigate({ to: '.', search: true, hash: next, replace: true, resetScroll: false })
    },
  }
}
