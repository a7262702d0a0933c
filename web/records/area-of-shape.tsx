import { isAreaOf, measureAcres } from '#domain/geometry/measure-acres.ts'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { type Draft, geometryOf, isNew, read } from './record-draft.ts'
import classes from './record-form.module.css'

type AreaOfShapeProps = { draft: Draft; onUse(): void }

/** Below the typed area of a parcel. An area that follows the shape is updated on saving. */
export function AreaOfShape({ draft, onUse }: AreaOfShapeProps) {
  const geometry = geometryOf(draft)
  const measured = geometry && measureAcres(geometry)
  if (measured === null) return null
  const typed = typedArea(draft)
  const inWords = (acres: number) => formatLand(acres, readersUnits())
  const differs = typed !== null && inWords(typed) !== inWords(measured)
  return (
    <p className={classes.measured} role="status">
      From the shape: {inWords(measured)}
      {differs && (
        <>
          . The area above is different.{' '}
          <SmallButton size="compact-xs" onClick={onUse}>
            Use the shape’s area
          </SmallButton>
        </>
      )}
    </p>
  )
}

/** Null if the area follows the shape. */
function typedArea({ base, values, geometry }: Draft): number | null {
  const input = read({ label: 'Area', value: { type: 'number', min: 0 } }, values.area ?? '')
  if ('problem' in input || typeof input.value !== 'number') return null
  const isFollowing = geometry !== null && !isNew(base) && isAreaOf(base.geometry, input.value)
  return isFollowing ? null : input.value
}
