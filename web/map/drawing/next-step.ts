import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { Progress } from './drawing-session.ts'

/** What to do next, for the status line. */
export function nextStep(tool: DrawingTool, { geometry }: Progress): string {
  const isBegun = geometry !== null
  switch (tool) {
    case 'rectangle':
      return isBegun ? 'Click to place the opposite corner' : 'Click to place the first corner'
    case 'circle':
      return isBegun ? 'Click to set the radius' : 'Click to place the centre'
    case 'marker':
      return 'Click to place the marker'
    case 'circlemarker':
      return 'Click to place the circle marker'
    case 'polyline':
    case 'polygon':
      return 'Click to place the first point'
  }
}
