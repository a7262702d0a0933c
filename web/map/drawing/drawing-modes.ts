import { TerraDrawRectangleMode } from 'terra-draw'
import { drawingColors } from '#domain/features/palette.ts'

/** Left button only: the right one would draw too. */
export const pointerEvents = {
  leftClick: true,
  rightClick: false,
  contextMenu: false,
  onDragStart: true,
  onDrag: true,
  onDragEnd: true,
}

const areaStyles = {
  fillColor: drawingColors.normal,
  fillOpacity: 0.2,
  outlineColor: drawingColors.normal,
  outlineWidth: 3,
} as const

/** One mode for each kind of shape, by its name. Keys are ours: the library hears them on the map alone. */
export function drawingModes() {
  return [
    new TerraDrawRectangleMode({
      modeName: 'rectangle',
      keyEvents: null,
      pointerEvents,
      drawInteraction: 'click-move-or-drag',
      styles: areaStyles,
    }),
  ]
}
