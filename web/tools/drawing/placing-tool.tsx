import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { usePlacing } from '#web/workspace/placing.ts'
import type { Tool } from '#web/workspace/tool.ts'

const PlacedRecord = lazyPart(() =>
  import('./placing/placed-record.tsx').then((module) => module.PlacedRecord),
)

export const placingTool: Tool = { name: 'The location on the map', Part: PlacingPart }

function PlacingPart() {
  const placing = usePlacing()
  if (!placing) return null
  return (
    <Guard what="The location on the map" layout="note" waiting={null}>
      <PlacedRecord placing={placing} />
    </Guard>
  )
}
