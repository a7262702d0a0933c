import { Button, Radio } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field, Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { valueInWords } from '#domain/features/value-in-words.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ShapeDraft } from '#web/workspace/shaping.ts'
import { nameOf, namesOf } from './shape-words.ts'
import classes from './shaping.module.css'

type MergeDialogProps = {
  mapId: string
  shapes: readonly Shape[]
  added: ShapeDraft['added']
  isOpen: boolean
  onClose(): void
  onMerge(targetId: string): void
}

/** The user chooses the record whose values stay. */
export function MergeDialog({ mapId, shapes, added, isOpen, onClose, onMerge }: MergeDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const saved = shapes.filter(({ id }) => added[id] === undefined)
  const details = useQueries({
    queries: saved.map(({ id }) => ({ ...featureDetailQuery(mapId, id), enabled: isOpen })),
  })
  const byId = new Map(details.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])))
  const targetId = chosen !== null && shapes.some(({ id }) => id === chosen) ? chosen : shapes[0]?.id
  const columns = shapes.map((shape) => ({ shape, values: valuesOf(byId.get(shape.id), added[shape.id]) }))
  const [first] = byId.values()
  const rows = first
    ? rowsOf(
        first,
        columns.map(({ values }) => values),
      )
    : []
  const isLoaded = details.every(({ data }) => data !== undefined)
  return (
    <Dialog title={`Merge ${namesOf(shapes)}`} isOpen={isOpen} onClose={onClose} size="lg">
      {() => (
        <div className={classes.form}>
          <p>
            The merged record keeps the values of one of them, and its history. It gets the files of the
            others, which are removed; you can undo this.
          </p>
          <div className={classes.compared}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Keep</th>
                  {columns.map(({ shape }) => (
                    <th key={shape.id} scope="col" data-kept={shape.id === targetId || undefined}>
                      <Radio
                        label={nameOf(shape)}
                        name="kept"
                        checked={shape.id === targetId}
                        onChange={() => setChosen(shape.id)}
                      />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ label, texts }) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    {columns.map(({ shape }, index) => (
                      <td key={shape.id} data-kept={shape.id === targetId || undefined}>
                        {texts[index]}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              disabled={!isLoaded || targetId === undefined}
              onClick={() => targetId && onMerge(targetId)}
            >
              Merge
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

type Values = Readonly<Record<string, unknown>>

const valuesOf = (detail: FeatureDetail | undefined, added: Values | undefined): Values =>
  (detail as unknown as Values | undefined) ?? added ?? {}

/** Fields in which at least one of the records has a value. */
function rowsOf({ kind }: FeatureDetail, columns: readonly Values[]) {
  const { fields }: { fields: Fields } = definitions[kind]
  return leavesOf(fields).flatMap(({ path, label, field }) => {
    const texts = columns.map((values) => textOf(field, valueAt(values, path)))
    return texts.some((text) => text !== '') ? [{ label, texts }] : []
  })
}

type Leaf = { path: readonly string[]; label: string; field: Field }

const leavesOf = (fields: Fields, above: readonly string[] = []): Leaf[] =>
  Object.entries(fields).flatMap(([key, field]) => {
    const path = [...above, key]
    if (field.followsFrom) return []
    return field.value.type === 'group'
      ? leavesOf(field.value.fields, path)
      : [{ path, label: field.label, field }]
  })

const valueAt = (values: Values, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Values | null | undefined)?.[key], values)

function textOf(field: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  const text = valueInWords(field, value)
  return typeof text === 'object' ? '' : String(text)
}
