import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

export const shapingTool: Tool = {
  name: 'The shape editor',
  Part: lazyPart(() => import('./shaping-part.tsx').then((module) => module.ShapingPart)),
}
