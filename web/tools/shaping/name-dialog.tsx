import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import classes from './shaping.module.css'

type NameDialogProps = {
  /** As in ‘parcel’. */
  noun: string
  /** Shapes of new records, with the names that were proposed. */
  shapes: readonly Shape[]
  isOpen: boolean
  onClose(): void
  onSave(names: ReadonlyMap<string, string>): void
}

/** Names new records before they are saved. */
export const NameDialog = ({ noun, isOpen, onClose, ...props }: NameDialogProps) => (
  <Dialog
    title={props.shapes.length === 1 ? `Name the new ${noun}` : `Name the new ${noun}s`}
    isOpen={isOpen}
    onClose={onClose}
  >
    {() => <NameForm {...props} onClose={onClose} />}
  </Dialog>
)

function NameForm({ shapes, onClose, onSave }: Omit<NameDialogProps, 'isOpen' | 'noun'>) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(
    () => new Map(shapes.map(({ id, name }) => [id, name])),
  )
  const isValid = [...names.values()].every((name) => name.trim() !== '')
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) onSave(new Map([...names].map(([id, name]) => [id, name.trim()])))
      }}
    >
      {shapes.map((shape, index) => (
        <TextInput
          key={shape.id}
          label={shapes.length === 1 ? 'Name' : `Name ${index + 1}`}
          description={areaOf(shape)}
          maxLength={300}
          data-autofocus={index === 0 || undefined}
          value={names.get(shape.id) ?? ''}
          onChange={({ currentTarget: { value } }) => setNames(new Map([...names, [shape.id, value]]))}
        />
      ))}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Button type="submit" disabled={!isValid}>
          Save
        </Button>
      </div>
    </form>
  )
}

function areaOf({ geometry }: Shape): string | null {
  const acres = measureAcres(geometry)
  return acres === null ? null : formatLand(acres, readersUnits())
}
