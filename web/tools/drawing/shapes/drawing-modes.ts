import {
  type ModeOptions,
  TerraDrawCircleMode,
  TerraDrawLineStringMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  type Validation,
} from 'terra-draw'
import { touchFinishPixels } from '#domain/map-configuration/map-constants.ts'
import { hasCrossingEdges } from './crossing.ts'
import { cornersOf, leastPoints } from './drawn-shape.ts'

/** Only the engine's handles are visible: shapes are in the map's own layers and the sketch. */
const unseen = {
  fillOpacity: 0,
  outlineWidth: 0,
  lineStringWidth: 0,
  pointWidth: 0,
  pointOutlineWidth: 0,
  closingPointWidth: 0,
  closingPointOutlineWidth: 0,
}

const common = {
  // The library receives keys only while the map has the focus.
  keyEvents: null,
  // The right button would draw too.
  pointerEvents: {
    leftClick: true,
    rightClick: false,
    contextMenu: false,
    onDragStart: true,
    onDrag: true,
    onDragEnd: true,
  },
  pointerDistance: touchFinishPixels,
  styles: unseen,
} satisfies ModeOptions

type Rules = { mayCross: boolean; onCrossing(): void }

export function drawingModes(rules: Rules) {
  const byDragOrClicks = { ...common, drawInteraction: 'click-move-or-drag' } as const
  return [
    new TerraDrawRectangleMode({ ...byDragOrClicks, modeName: 'rectangle', validation: needsSize }),
    new TerraDrawCircleMode({ ...byDragOrClicks, modeName: 'circle', validation: needsSize }),
    new TerraDrawPolygonMode({ ...common, modeName: 'polygon', validation: pathRule('polygon', rules) }),
    new TerraDrawLineStringMode({
      ...common,
      modeName: 'polyline',
      validation: pathRule('polyline', rules),
    }),
    new TerraDrawPointMode({ ...common, modeName: 'marker' }),
    new TerraDrawPointMode({ ...common, modeName: 'circlemarker' }),
  ]
}

/** A double click would draw an invisible shape. */
const needsSize: Validation = ({ geometry }, { updateType, project }) => {
  if (updateType !== 'finish') return { valid: true }
  const corners = cornersOf(geometry).map(([lng = 0, lat = 0]) => project(lng, lat))
  const isWide = (axis: 'x' | 'y') => {
    const values = corners.map((corner) => corner[axis])
    return Math.max(...values) - Math.min(...values) >= 2
  }
  return { valid: isWide('x') && isWide('y') }
}

/** A polygon is an open path while it is drawn; its closing edge is checked at the end. */
export function pathRule(kind: 'polygon' | 'polyline', { mayCross, onCrossing }: Rules): Validation {
  return ({ geometry }, { updateType, project }) => {
    if (updateType === 'provisional') return { valid: true }
    const path = cornersOf(geometry).filter(
      ([lng, lat], index, all) => index === 0 || lng !== all[index - 1]?.[0] || lat !== all[index - 1]?.[1],
    )
    const isFinished = updateType === 'finish'
    if (isFinished && path.length < leastPoints[kind]) return { valid: false }
    if (kind === 'polyline' && path.length <= 2) {
      // A double click would draw a line without length.
      const [a, b] = path.map(([lng = 0, lat = 0]) => project(lng, lat))
      if (
        a &&
        geometry.coordinates.length > 2 &&
        (!b || Math.hypot(a.x - b.x, a.y - b.y) < touchFinishPixels)
      )
        return { valid: false }
    }
    if (mayCross || !hasCrossingEdges(path, kind === 'polygon' && isFinished)) return { valid: true }
    onCrossing()
    return { valid: false }
  }
}
