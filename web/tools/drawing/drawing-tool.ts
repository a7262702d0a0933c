import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

/** Shapes of one's own on the map, and the tools that the map's configuration names for them. */
export const drawingTool: Tool = {
  name: 'Drawing',
  Part: lazyPart(() => import('./drawing-part.tsx').then((module) => module.DrawingPart)),
}
