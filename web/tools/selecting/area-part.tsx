import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useState } from 'react'
import { findPolygonProblem } from '#domain/geometry/find-polygon-problem.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import type { AreaRequest, AreaRing } from '#web/workspace/area-request.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import status from '#web/workspace/tool-status.module.css'
import { boxBetween, type LngLat, ringOf } from './area-ring.ts'
import { AreaSketch, useDrawnArea } from './drawn-area.tsx'

type AreaPartProps = { request: AreaRequest }

export function AreaPart({ request }: AreaPartProps) {
  const map = useMap().current?.getMap()
  const answerWithView = useEffectEvent(() => {
    const view = map?.getBounds()
    if (view) request.onArea(closedRing(boxBetween(view.getSouthWest(), view.getNorthEast()), request))
  })
  const { from } = request
  useEffect(() => {
    if (from === 'view' && map) answerWithView()
  }, [from, map])
  return from === 'drawing' ? <AreaDrawing request={request} /> : null
}

function AreaDrawing({ request }: AreaPartProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const area = useDrawnArea('lasso', (corners) => {
    const ring = closedRing(corners, request)
    const found = findPolygonProblem([[ring.map(([lng, lat]) => [lng, lat])]])
    if (found) setProblem(`The outline ${found.what}. Draw it again.`)
    else request.onArea(ring)
  })
  useToolMode({
    isOn: true,
    turnOff: request.onGiveUp,
    onKey(event) {
      if (event.key !== 'Escape') return false
      if (!area.giveUp()) request.onGiveUp()
      return true
    },
    unsaved: null,
  })
  return (
    <>
      <AreaSketch corners={area.corners} />
      <section className={status.bar} aria-label="Area" data-open>
        <div className={status.words}>
          <p role="status">{problem ?? 'Draw around the area on the map.'}</p>
        </div>
        <div className={status.actions}>
          <SmallButton size="compact-sm" h={30} onClick={request.onGiveUp}>
            Cancel
          </SmallButton>
        </div>
      </section>
    </>
  )
}

function closedRing(corners: readonly LngLat[], { maxPositions }: AreaRequest): AreaRing {
  const ring = ringOf(corners, maxPositions - 1)
  return [...ring, ...ring.slice(0, 1)]
}
