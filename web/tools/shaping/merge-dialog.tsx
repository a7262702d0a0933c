import { Button, Radio } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { type CSSProperties, useId, useState } from 'react'
import { type Field, type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import { nameFieldOf } from '#domain/features/definitions.ts'
import { type FeatureChange, mergeChange } from '#domain/features/merge-change.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { type ShapeDraft, takenValues } from '#web/workspace/shaping.ts'
import { nameOf, namesOf } from './shape-words.ts'
import classes from './shaping.module.css'

type MergeDialogProps = {
  mapId: string
  shapes: readonly Shape[]
  draft: ShapeDraft
  isOpen: boolean
  onClose(): void
  /** `taken` are values of the others. */
  onMerge(targetId: string, taken: FeatureChange): void
}

/** The user chooses the record that stays, and which of its values those of others replace. */
export function MergeDialog({ mapId, shapes, draft, isOpen, onClose, onMerge }: MergeDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  /** By field: the record whose value replaces that of the record that stays. */
  const [sources, setSources] = useState<Readonly<Record<string, string>>>({})
  const baseId = useId()
  const fields: Fields = fieldsOf(draft.kind, useCustomFields(mapId))
  const saved = shapes.filter(({ id }) => draft.added[id] === undefined)
  const details = useQueries({
    queries: saved.map(({ id }) => ({ ...featureDetailQuery(mapId, id), enabled: isOpen })),
  }).flatMap(({ data }) => data ?? [])
  const names = new Map(
    details.flatMap((detail) =>
      Object.entries(detail.referenceNames).map(([path, name]) => [valueAt(detail, path), name] as const),
    ),
  )
  const isLoaded = details.length === saved.length
  const targetId = shapes.some(({ id }) => id === chosen) ? chosen : shapes[0]?.id
  const columns = shapes.map(({ id, name }) => {
    const values: FeatureChange = details.find((detail) => detail.id === id) ?? draft.added[id] ?? {}
    return { id, values: { ...mergeChange(values, takenValues(draft, id)), [nameFieldOf(draft.kind)]: name } }
  })
  const rows = isLoaded ? rowsOf(fields, columns) : []
  const hasValue = (column: number, key: string) =>
    rows.some(({ path, values }) => keyOf(path) === key && values[column] !== null)
  /** Without a choice, a field that is empty has the value of the first other record that has one. */
  function sourceOf(path: string): string | null | undefined {
    const chosen = columns.find(({ id }) => id === sources[path])
    if (chosen) return chosen.id
    const target = columns.findIndex(({ id }) => id === targetId)
    const isEmpty = !hasValue(target, keyOf(path))
    return isEmpty ? columns.find((_, index) => hasValue(index, keyOf(path)))?.id : targetId
  }

  const show = (field: Field, value: unknown) =>
    showValue(field, value, { name: names.get(value) ?? null, onSelect: null }) || '–'
  const areas = isOpen ? shapes.map(({ geometry }) => measureAcres(geometry)) : []
  const acres = areas.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)

  function merge() {
    if (!targetId) return
    const taken = rows.flatMap((row) => {
      const { path, values } = row
      const source = sourceOf(path)
      const index = columns.findIndex(({ id }) => id === source)
      return columns[index]?.id === targetId ? [] : [changeOf(path, values[index])]
    })
    onMerge(targetId, taken.reduce(mergeChange, {}))
  }
  return (
    <Dialog title={`Merge ${namesOf(shapes)}`} isOpen={isOpen} onClose={onClose} size="lg">
      {() => (
        <div className={classes.form}>
          <p>
            One record stays, with its history and its values; empty ones are filled from the others. You can
            choose other values. The other records are removed, and their files move to the one that stays.
            You can undo this.
          </p>
          <div className={classes.compared}>
            <table style={{ '--records': shapes.length } as CSSProperties}>
              <thead>
                <tr>
                  <th scope="col">Keep</th>
                  {shapes.map((shape) => (
                    <th key={shape.id} scope="col">
                      <Radio
                        label={`All from ${nameOf(shape)}`}
                        name={baseId}
                        checked={shape.id === targetId}
                        onChange={() => setChosen(shape.id)}
                        // Also reverts the choices of single fields.
                        onClick={() => setSources({})}
                      />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows
                  .map((row) => ({ ...row, source: sourceOf(row.path) }))
                  .map(({ path, field, values, isSame, source }) => (
                    <tr key={path}>
                      <th scope="row">{field.label}</th>
                      {isSame ? (
                        <td colSpan={shapes.length} data-kept>
                          {show(field, values[0])}{' '}
                          <span className={classes.same}>
                            (same in {shapes.length === 2 ? 'both' : 'all'})
                          </span>
                        </td>
                      ) : (
                        shapes.map((shape, index) => (
                          <td key={shape.id} data-kept={shape.id === source || undefined}>
                            <Radio
                              size="xs"
                              label={show(field, values[index])}
                              aria-label={`${field.label} of ${nameOf(shape)}`}
                              name={`${baseId} ${path}`}
                              checked={shape.id === source}
                              onChange={() => setSources({ ...sources, [path]: shape.id })}
                            />
                          </td>
                        ))
                      )}
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
          <div className={`${classes.buttons} ${classes.sticky}`}>
            {acres !== null && <p>Together: {formatLand(acres, readersUnits())}</p>}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={!isLoaded || targetId === undefined} onClick={merge}>
              Merge
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

type Row = { path: string; field: Field; values: unknown[]; isSame: boolean }

/** Fields in which at least one of the records has a value. */
const rowsOf = (fields: Fields, columns: readonly { values: FeatureChange }[]): Row[] =>
  singleFields(fields).flatMap(([path, field]) => {
    const values = columns
      .map((column) => valueAt(column.values, path))
      .map((value) => (value === '' ? null : value))
    // The area of the merged land is measured.
    if (field.followsFrom || path === 'area' || values.every((value) => value === null)) return []
    return [{ path, field, values, isSame: values.every((value) => isEqual(value, values[0])) }]
  })

const keyOf = (path: string) => path.split('.')[0] ?? ''

function changeOf(path: string, value: unknown): FeatureChange {
  const [key = '', part] = path.split('.')
  return { [key]: part === undefined ? value : { [part]: value } }
}
