import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

/** Selects rows of the table on the map. */
export const selectingTool: Tool = {
  name: 'Selecting on the map',
  Part: lazyPart(() => import('./selecting-part.tsx').then((module) => module.SelectingPart)),
}
