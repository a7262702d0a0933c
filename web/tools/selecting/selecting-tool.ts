import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

export const selectingTool: Tool = {
  name: 'Selecting on the map',
  Part: lazyPart(() => import('./selecting-part.tsx').then((module) => module.SelectingPart)),
}
