import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { leastPoints } from './drawn-shape.ts'

/** What to do next, for the status line, by how many points stand. */
export function nextStep(tool: DrawingTool, placed: number): string {
  switch (tool) {
    case 'rectangle':
      return placed === 0 ? 'Click to place the first corner' : 'Click to place the opposite corner'
    case 'circle':
      return placed === 0 ? 'Click to place the center' : 'Click to set the radius'
    case 'marker':
      return 'Click to place the marker'
    case 'circlemarker':
      return 'Click to place the circle marker'
    case 'polyline':
    case 'polygon': {
      if (placed === 0) return 'Click to place the first point'
      if (placed < leastPoints[tool]) return 'Click to place the next point'
      return `Click to place the next point, or ${tool === 'polygon' ? 'the first' : 'the last'} one to finish`
    }
  }
}
