import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SuggestedProjection } from '#domain/imports/import-draft.schema.ts'
import { formatNumber } from '#web/ui/measures.ts'
import classes from './import-panel.module.css'

type ProjectionChoiceProps = {
  /** The most likely first: until the user chooses, the map shows the rows in it. */
  suggested: readonly SuggestedProjection[]
  /** The user's choice. */
  projection: string | null
  onChange(projection: string): void
}

const other = 'other'

/** The projection of coordinates whose file does not name it. The user checks it on the map. */
export function ProjectionChoice({ suggested, projection, onChange }: ProjectionChoiceProps) {
  const [isTyping, setTyping] = useState(false)
  const [best] = suggested
  const isOther = projection !== null && suggested.every((one) => one.projection !== projection)
  const number = (
    <TextInput
      label={best ? 'Its number' : 'Projection'}
      description={
        best
          ? 'In the EPSG register.'
          : 'The file does not say what its coordinates are in, and no projection brings them to the land of this map. Whoever made the file knows the number.'
      }
      placeholder="EPSG:2223"
      defaultValue={projection ?? ''}
      maxLength={12}
      onBlur={({ currentTarget: { value } }) => {
        const input = value.trim().toUpperCase()
        const code = /^\d+$/.test(input) ? `EPSG:${input}` : input
        if (code !== '' && code !== projection) onChange(code)
      }}
    />
  )
  if (!best) return number
  return (
    <>
      {projection === null && (
        <p className={classes.offer} role="status">
          The file does not say what its coordinates are in. As {best.name} they lie{' '}
          {best.kilometersOff === 0
            ? 'on the land of this map'
            : `${formatNumber(best.kilometersOff)} km beside the land of this map`}
          : look at them on the map.{' '}
          <Button size="compact-sm" variant="light" onClick={() => onChange(best.projection)}>
            It lies right
          </Button>
        </p>
      )}
      <NativeSelect
        label="Projection"
        value={isTyping ? other : (projection ?? '')}
        data={[
          ...(projection === null ? [{ value: '', label: 'Not input yet' }] : []),
          ...suggested.map((one) => ({ value: one.projection, label: wordsOf(one) })),
          ...(isOther ? [{ value: projection, label: projection }] : []),
          { value: other, label: 'Another, by its number' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          setTyping(value === other)
          if (value !== other && value !== '') onChange(value)
        }}
      />
      {isTyping && number}
    </>
  )
}

const wordsOf = ({ projection, name, kilometersOff }: SuggestedProjection) =>
  `${name} (${projection})${kilometersOff === 0 ? '' : `, ${formatNumber(kilometersOff)} km beside the land`}`
