import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useAreaRequest } from '#web/workspace/area-request.ts'
import type { Tool } from '#web/workspace/tool.ts'

const AreaPart = lazyPart(() => import('./area-part.tsx').then((module) => module.AreaPart))

/** For forms beside the map that need an area. */
export const areaTool: Tool = {
  name: 'The outline of an area',
  Part() {
    const request = useAreaRequest()
    return request && <AreaPart request={request} />
  },
}
