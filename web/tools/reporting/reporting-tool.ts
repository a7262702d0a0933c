import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { Tool } from '#web/workspace/tool.ts'

export const reportingTool: Tool = {
  name: 'The cross on the map',
  Part: lazyPart(() => import('./reporting-part.tsx').then((module) => module.ReportingPart)),
}
