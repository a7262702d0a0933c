import { useQuery } from '@tanstack/react-query'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import { landCheckQuery } from '#web/api/land.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { ColoredShapes, MarkedPlace } from '#web/map/colored-shapes.tsx'
import { classFacts, isOfProblem, middleOf } from './problems.ts'
import { isFuture, useEarlierLand } from './use-earlier-land.ts'

const colors = Object.fromEntries(Object.entries(classFacts).map(([name, { color }]) => [name, color]))
const sinceColors = { changed: '#7048e8', removed: '#d92d20' }
const [restColor, markColor] = ['#868e96', '#1c7ed6']

type LandLayersProps = {
  mapId: string
  extent: Bounds | null
  asOf: string | undefined
  marked: LatLng | null
}

/** Points at the problems that have not been fixed since the check, and the borders of earlier land. */
export function LandLayers({ mapId, extent, asOf, marked }: LandLayersProps) {
  const mayEdit = useMay('editor', mapId)
  const { data: land } = useQuery({ ...landCheckQuery(mapId), enabled: mayEdit })
  const { data: earlier } = useEarlierLand(mapId, asOf, extent)
  const problems = land?.check?.problems.filter(({ isCurrent }) => isCurrent) ?? []
  return (
    <>
      <ColoredShapes
        id="earlier-land"
        data={{
          type: 'FeatureCollection',
          features: (asOf === undefined || isFuture(asOf) ? [] : (earlier?.items ?? [])).map(
            ({ geometry, since }) => ({
              type: 'Feature',
              geometry,
              properties: { since },
            }),
          ),
        }}
        property="since"
        colors={sinceColors}
        rest={restColor}
        isDashed
      />
      <ColoredShapes
        id="land-check"
        data={{
          type: 'FeatureCollection',
          features: problems.map(({ class: name, box }) => {
            const { lng, lat } = middleOf(box)
            return {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [lng, lat] },
              properties: { class: name },
            }
          }),
        }}
        property="class"
        colors={colors}
        rest={restColor}
      />
      {marked && (asOf !== undefined || isOfProblem(problems, marked)) && (
        <MarkedPlace place={marked} color={markColor} />
      )}
    </>
  )
}
