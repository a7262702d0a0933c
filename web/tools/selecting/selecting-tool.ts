import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

export const selectingTool: Tool = {
  name: 'The selection tools',
  Part: lazyPart(() => import('./selecting-part.tsx').then((module) => module.SelectingPart)),
}
