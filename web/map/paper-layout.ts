import type { Map as EngineMap } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { useIsPreparingPrint } from '#web/ui/printing.ts'

type Box = [west: number, south: number, east: number, north: number]

/** `isWhole` shows all land instead of that in view. */
export type PaperLand = { land: Bounds | null; isWhole: boolean }

const paperMargin = 28
const pixelRatio = 2

/**
 * While a print is prepared, the map has the shape of its picture on paper and shows the land in view. It is due until
 * it is drawn.
 */
export function usePaperLayout(map: EngineMap | null, { land, isWhole }: PaperLand) {
  const isPreparing = useIsPreparingPrint()
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    // A map without a size is folded, and stays so.
    if (!map || !isPreparing || map.getContainer().clientWidth === 0) return
    const finish = () => setIsDrawn(true)
    const previous = { center: map.getCenter(), zoom: map.getZoom() }
    const shown = landInView(map, land, isWhole)
    // The engine still has the size on the screen.
    map.setPixelRatio(pixelRatio)
    map.resize()
    const camera = map.cameraForBounds(shown, { padding: paperMargin })
    if (camera) map.jumpTo(camera)
    map.once('idle', finish)
    map.triggerRepaint()
    return () => {
      map.off('idle', finish)
      setIsDrawn(false)
      map.setPixelRatio(window.devicePixelRatio)
      map.resize()
      map.jumpTo(previous)
    }
  }, [map, isPreparing, land, isWhole])
  const isDue = isPreparing && !isDrawn && map !== null && map.getContainer().clientWidth > 0
  return { isPreparing, isDue }
}

function landInView(map: EngineMap, land: Bounds | null, isWhole: boolean): Box {
  if (isWhole && land) return [land.west, land.south, land.east, land.north]
  const [[west, south], [east, north]] = map.getBounds().toArray() as [[number, number], [number, number]]
  if (land) {
    const common = [
      Math.max(west, land.west),
      Math.max(south, land.south),
      Math.min(east, land.east),
      Math.min(north, land.north),
    ] as Box
    if (common[0] < common[2] && common[1] < common[3]) return common
  }
  return [west, south, east, north]
}
