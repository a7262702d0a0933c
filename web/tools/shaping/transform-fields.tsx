import { Button, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { radians, readBearing } from '#domain/deeds/call.ts'
import { lengthUnits } from '#domain/deeds/notation.ts'
import type { Transform } from '#domain/geometry/borders/shape-parts.ts'
import { readersUnits } from '#web/ui/measures.ts'
import classes from './shaping.module.css'

const empty = { distance: '', bearing: '', degrees: '' }
type Input = typeof empty

/** Moves and rotates a shape by numbers. */
export function TransformFields({ onApply }: { onApply(transform: Transform): void }) {
  const unit = readersUnits() === 'metric' ? 'm' : 'ft'
  const [input, setInput] = useState(empty)
  const [errors, setErrors] = useState<Partial<Input>>({})
  const fieldOf = (key: keyof Input) => ({
    size: 'xs',
    value: input[key],
    error: errors[key],
    onChange(value: string | number) {
      setInput({ ...input, [key]: String(value) })
      setErrors({})
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const result = readTransform(input, lengthUnits[unit].meters)
    if ('errors' in result) return setErrors(result.errors)
    setInput(empty)
    onApply(result)
  }
  const { onChange, ...bearing } = fieldOf('bearing')
  return (
    <form className={classes.fields} aria-label="Move and rotate" onSubmit={submit}>
      <NumberInput
        {...fieldOf('distance')}
        label="Distance"
        allowNegative={false}
        decimalScale={3}
        placeholder={unit}
        suffix={` ${unit}`}
        hideControls
      />
      <TextInput
        {...bearing}
        label="Bearing"
        placeholder={"N 45°30' E"}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <NumberInput
        {...fieldOf('degrees')}
        label="Rotate clockwise"
        decimalScale={4}
        placeholder="°"
        suffix="°"
        hideControls
      />
      <Button type="submit" size="compact-sm" h={30} variant="default">
        Apply
      </Button>
    </form>
  )
}

function readTransform(
  { distance, bearing, degrees }: Input,
  metersPerUnit: number,
): Transform | { errors: Partial<Input> } {
  const [meters, clockwise] = [Number(distance) * metersPerUnit, Number(degrees)]
  const isMoved = distance !== '' || bearing.trim() !== ''
  if (!isMoved && degrees === '') return { errors: { distance: 'Enter a distance, or degrees to rotate.' } }
  if (isMoved && !(meters > 0)) return { errors: { distance: 'Enter a distance of more than 0.' } }
  if (degrees !== '' && (clockwise === 0 || !(Math.abs(clockwise) < 360)))
    return { errors: { degrees: 'Enter degrees between -360 and 360, except 0.' } }
  if (!isMoved) return { east: 0, north: 0, clockwise }
  if (bearing.trim() === '') return { errors: { bearing: "Enter a bearing, such as N 45°30' E." } }
  const direction = readBearing(bearing)
  if ('message' in direction) return { errors: { bearing: direction.message } }
  const angle = radians(direction.azimuthDegrees)
  return { east: meters * Math.sin(angle), north: meters * Math.cos(angle), clockwise }
}
