import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { PressWord } from '#web/ui/device.ts'
import { leastPoints } from './drawn-shape.ts'

/** The status line of a tool, by the number of placed points. */
export function nextStep(tool: DrawingTool, placed: number, press: PressWord): string {
  switch (tool) {
    case 'rectangle':
      return placed === 0 ? `${press} to place the first corner` : `${press} to place the opposite corner`
    case 'circle':
      return placed === 0 ? `${press} to place the center` : `${press} to set the radius`
    case 'marker':
      return `${press} to place the marker`
    case 'circlemarker':
      return `${press} to place the circle marker`
    case 'polyline':
    case 'polygon': {
      if (placed === 0) return `${press} to place the first point`
      if (placed < leastPoints[tool]) return `${press} to place the next point`
      return `${press} to place the next point, or ${tool === 'polygon' ? 'the first' : 'the last'} one to finish`
    }
  }
}
