import { Button, Menu } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import { Fragment, useMemo, useState } from 'react'
import { maxOperations } from '#domain/features/feature-changes.schema.ts'
import { recordName } from '#domain/features/land-change.schema.ts'
import { squareCorners } from '#domain/geometry/borders/reshape-shapes.ts'
import { type ShapeEdit, ShapeRefusal } from '#domain/geometry/borders/shape-graph.ts'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { proposeFix } from '#domain/land-check/fix-land-problem.ts'
import type { LandProblem } from '#domain/land-check/land-problem.ts'
import { counted } from '#domain/values/wording.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import type { ShapeDraft, shapeDrafts } from '#web/workspace/shaping.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import { type ToolAction, ToolActions } from '#web/workspace/tool-actions.tsx'
import status from '#web/workspace/tool-status.module.css'
import { CornerTable } from './corner-table.tsx'
import type { Editing } from './editing.ts'
import { describeProblem, problemsOf, type Remedy } from './land-warnings.ts'
import { RecordDialog } from './record-dialog.tsx'
import { ProblemsLayer, ShapesLayer } from './shape-edit-layers.tsx'
import { netChanges, ShapeSession } from './shape-session.ts'
import { nameOf, namesOf, shapesIn } from './shape-words.ts'
import { useCornerMode } from './use-corner-mode.tsx'
import { useDeedMode } from './use-deed-mode.tsx'
import { useLoadedShapes } from './use-loaded-shapes.ts'
import { useMergeMode } from './use-merge-mode.tsx'
import { type PathTask, usePathMode } from './use-path-mode.tsx'
import { useShapeInView } from './use-shape-in-view.ts'
import { useShapeSaving } from './use-shape-saving.ts'

type Mode = 'corners' | 'merge' | 'deed' | PathTask

type ShapeEditorProps = {
  mapId: string
  draft: ShapeDraft
  drafts: ReturnType<typeof shapeDrafts>
  /** Called before a change removes records, so that their details are not loaded again. */
  onRemoved(ids: ReadonlySet<string>): void
}

export function ShapeEditor({ mapId, draft, drafts, onRemoved }: ShapeEditorProps) {
  const onDraft = drafts.set
  const [mode, setMode] = useState<Mode>('corners')
  const [problem, setProblem] = useState<string | null>(null)
  const [isTableOpen, setIsTableOpen] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isRecordOpen, setIsRecordOpen] = useState(false)
  const isOpen = !draft.isPaused
  const changes = useMemo(() => netChanges(draft.steps.slice(0, draft.done)), [draft])
  const keep = useMemo(() => new Set([draft.id, ...changes.keys()]), [draft.id, changes])
  const { loaded, view, isInView, isComplete, error, isLoading } = useLoadedShapes(mapId, draft.kind, keep)
  const session = useMemo(() => new ShapeSession([...loaded.values()], draft), [loaded, draft])
  const { graph } = session
  const active = graph.get(draft.id)
  useShapeInView(active)
  const toCorners = () => setMode('corners')

  const editing: Editing = {
    mapId,
    draft,
    graph,
    active,
    view,
    changes,
    attempt(work) {
      try {
        setProblem(null)
        work()
      } catch (refusal) {
        if (!(refusal instanceof ShapeRefusal)) throw refusal
        setProblem(refusal.message)
      }
    },
    add(words, edit, news) {
      requireValid(edit)
      onDraft(session.add(words, edit, news))
    },
    activate: (id) => onDraft({ ...(drafts.get() ?? draft), id }),
  }
  const pathTask = mode === 'corners' || mode === 'merge' || mode === 'deed' ? null : mode
  const corners = useCornerMode(editing, isOpen && mode === 'corners')
  const merging = useMergeMode(editing, isOpen && mode === 'merge', toCorners)
  const drawing = usePathMode(editing, isOpen ? pathTask : null, toCorners)
  const deed = useDeedMode(editing, isOpen && mode === 'deed', { onDone: toCorners, onSplit: drawing.split })
  const others = { corners, merge: merging, deed }
  const current = pathTask === null ? others[mode as keyof typeof others] : drawing
  const { save, isSaving } = useShapeSaving({
    mapId,
    draft,
    onSaved: () => onDraft(null),
    onProblem: setProblem,
  })

  const undo = () => onDraft({ ...draft, done: Math.max(0, draft.done - 1) })
  const redo = () => onDraft({ ...draft, done: Math.min(draft.steps.length, draft.done + 1) })
  function cancel() {
    onDraft(null)
    if (changes.size === 0) return
    showSuccess('Discarded changes of shapes', {
      dependsOn: { mapId, of: 'page', isAsLeft: () => drafts.get() === null, listen: drafts.listen },
      undo: () => onDraft(draft),
    })
  }
  function saveAll() {
    setIsConfirming(false)
    onRemoved(new Set([...changes].flatMap(([id, { after }]) => (after ? [] : [id]))))
    save()
  }
  useToolMode({
    isOn: isOpen,
    // Another tool is turned on: changes stay.
    turnOff: () => onDraft(changes.size > 0 ? { ...draft, isPaused: true } : null),
    onClick({ lngLat: { lng, lat } }) {
      if (!isOpen) return false
      current.onClick([lng, lat])
      return true
    },
    onKey(event) {
      if (!isOpen || (event.target as HTMLElement).matches('input, textarea, select')) return false
      if (current.onKey(event)) return true
      const key = event.key.toLowerCase()
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && (key === 'y' || (key === 'z' && event.shiftKey))) redo()
      else if (isCommand && key === 'z') undo()
      else if (key === 'escape' && changes.size === 0) cancel()
      else return false
      return true
    },
    unsaved:
      changes.size > 0
        ? {
            what: 'Edits of shapes',
            title: 'Unsaved shapes',
            text: `Your changes to the shapes of ${namesOf(shapesIn(changes))} are not saved. They stay in this tab as a draft.`,
          }
        : null,
  })

  const problems = useMemo(() => problemsOf(graph, changes), [graph, changes])
  const { movingIds = none } = current
  const shown = useMemo(() => {
    const changed = [...changes.values()].flatMap(({ after }) => after ?? [])
    const all = active && !changes.has(active.id) ? [...changed, active] : changed
    return all.filter(({ id }) => !movingIds.has(id))
  }, [changes, active, movingIds])

  if (!isOpen)
    return (
      <Bar
        text={`Unsaved shapes: ${namesOf(shapesIn(changes))}`}
        actions={[
          { label: 'Discard', run: cancel },
          { label: 'Continue', isPrimary: true, run: () => onDraft({ ...draft, isPaused: false }) },
        ]}
      />
    )
  const stale = session.stale(isInView)
  const warnings = mode === 'corners' ? problems : []
  function fix(landProblem: LandProblem, { label, keeper }: Remedy) {
    editing.attempt(() => {
      const proposal = proposeFix(graph, landProblem, keeper)
      if ('refused' in proposal) throw new ShapeRefusal(`Cannot fix this: ${proposal.refused}`)
      editing.add(label, proposal.edit)
    })
  }
  const isArea = active !== undefined && polygonsOfGeometry(active.geometry).length > 0
  const general: ToolAction[] = [
    ...(isArea
      ? [
          { label: 'Split', run: () => setMode('split') },
          { label: 'Merge', run: () => setMode('merge') },
        ]
      : []),
    { label: 'Cancel', run: cancel },
    {
      label: 'Save',
      isPrimary: true,
      isDisabled: changes.size === 0 || isSaving || stale.length > 0 || changes.size > maxOperations,
      run: () => (problems.length > 0 ? setIsConfirming(true) : saveAll()),
    },
  ]
  const menu = [
    ...(isArea
      ? [
          { label: 'Reshape along a line', run: () => setMode('reshape') },
          { label: 'Cut a hole', run: () => setMode('hole') },
          {
            label: 'Square corners',
            run: () => editing.attempt(() => editing.add('Square corners', squareCorners(graph, draft.id))),
          },
        ]
      : []),
    {
      label: isTableOpen ? 'Hide the table of corners' : 'Table of corners',
      run: () => setIsTableOpen(!isTableOpen),
    },
  ]
  if (isArea) menu.push({ label: 'From a deed…', run: () => setMode('deed') })
  menu.push({
    label: draft.record ? `${recordName(draft.record)}…` : 'Plat, deed or survey…',
    run: () => setIsRecordOpen(true),
  })
  return (
    <>
      <Confirmation
        title="Save with problems?"
        isOpen={isConfirming}
        stay="Keep editing"
        onStay={() => setIsConfirming(false)}
        go="Save anyway"
        onGo={saveAll}
      >
        {() =>
          problems.slice(0, maxListed).map((one) => <p key={one.key}>{describeProblem(graph, one).text}.</p>)
        }
      </Confirmation>
      <RecordDialog
        isOpen={isRecordOpen}
        record={draft.record}
        onClose={() => setIsRecordOpen(false)}
        onRecord={(record) => {
          setIsRecordOpen(false)
          onDraft({ ...draft, record })
        }}
      />
      <ShapesLayer id="shaping-changed" shapes={shown} activeId={draft.id} />
      <ProblemsLayer areas={warnings.flatMap(({ geometry }) => geometry ?? [])} />
      {/* The map engine cannot rename a source. */}
      <Fragment key={mode}>{current.layers}</Fragment>
      {isTableOpen && active && mode === 'corners' && (
        <CornerTable editing={editing} shape={active} onClose={() => setIsTableOpen(false)} />
      )}
      <Bar
        text={active ? current.text : missingWords(isComplete, isLoading)}
        readout={current.readout}
        problem={
          stale.length > 0
            ? `${namesOf(stale)} was changed or removed by someone else. Undo your changes to it, or cancel.`
            : (problem ?? (error ? 'Could not load shapes. Move the map to try again.' : null))
        }
        warnings={warnings.slice(0, maxWarnings).map((landProblem) => {
          const { text, remedies } = describeProblem(graph, landProblem)
          const actions = remedies.map((remedy) => ({
            label: remedy.label,
            run: () => fix(landProblem, remedy),
          }))
          return { text, actions }
        })}
        more={warnings.length - maxWarnings}
        steps={{ canUndo: draft.done > 0, canRedo: draft.done < draft.steps.length, undo, redo }}
        actions={mode === 'corners' ? [...current.actions, ...general] : current.actions}
        menu={mode === 'corners' && active ? menu : []}
      />
    </>
  )
}

const none: ReadonlySet<string> = new Set()
const maxWarnings = 3
const maxListed = 10

function missingWords(isComplete: boolean, isLoading: boolean): string {
  if (!isComplete) return 'Zoom in to edit this shape.'
  return isLoading ? 'Loading shapes…' : 'Move the map to the shape to edit it.'
}

/** Throws a ShapeRefusal for a shape that could not be saved. */
function requireValid(edit: ShapeEdit) {
  for (const { after } of edit.values()) {
    const fault = after && findGeometryFault(after.geometry)
    if (fault) throw new ShapeRefusal(`${nameOf(after)} ${fault.what}.`)
  }
}

type BarProps = {
  text: string
  readout?: string | null | undefined
  problem?: string | null
  warnings?: readonly { text: string; actions: readonly ToolAction[] }[]
  /** Warnings that are not listed. */
  more?: number
  steps?: Parameters<typeof ToolActions>[0]['steps']
  actions: readonly ToolAction[]
  menu?: readonly ToolAction[]
}

function Bar({
  text,
  readout,
  problem,
  warnings = [],
  more = 0,
  steps = null,
  actions,
  menu = [],
}: BarProps) {
  return (
    <section className={status.bar} aria-label="Shape editing" data-open>
      <div className={status.words}>
        <p role="status">{text}</p>
        {readout && <p className={status.readout}>{readout}</p>}
        {warnings.map((warning) => (
          <p key={warning.text} className={status.problem}>
            {warning.text}{' '}
            {warning.actions.map(({ label, run }) => (
              <Button key={label} size="compact-xs" variant="default" mr={4} onClick={run}>
                {label}
              </Button>
            ))}
          </p>
        ))}
        {more > 0 && <p className={status.problem}>and {counted(more, 'more problem')}</p>}
        {problem && (
          <p className={status.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className={status.actions}>
        {menu.length > 0 && (
          <Menu position="top-start" withinPortal>
            <Menu.Target>
              <Button size="compact-sm" h={30} variant="default" rightSection={<IconChevronUp size={14} />}>
                More
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {menu.map(({ label, run }) => (
                <Menu.Item key={label} onClick={run}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <ToolActions steps={steps} actions={actions} />
      </div>
    </section>
  )
}
