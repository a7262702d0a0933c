import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

/** Rows of the table beside the map are selected on it, by a box, a lasso, or all that is in view. */
export const selectingTool: Tool = {
  name: 'Selecting on the map',
  Part: lazyPart(() => import('./selecting-part.tsx').then((module) => module.SelectingPart)),
}
