import { useQueries, useQuery } from '@tanstack/react-query'
import { Fragment, useDeferredValue, useMemo, useState } from 'react'
import { maxOperations } from '#domain/features/feature-changes.schema.ts'
import { recordName } from '#domain/features/land-change.schema.ts'
import type { CornerKey } from '#domain/geometry/borders/corners.ts'
import { squareCorners } from '#domain/geometry/borders/reshape-shapes.ts'
import { combineEdits, type ShapeEdit, ShapeRefusal } from '#domain/geometry/borders/shape-graph.ts'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { isAreaOf, measureAcres } from '#domain/geometry/measure-acres.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { proposeFix } from '#domain/land-check/fix-land-problem.ts'
import type { LandProblem } from '#domain/land-check/land-problem.ts'
import { featureDetailQuery, featureHistoryQuery } from '#web/api/features.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { showSuccess } from '#web/ui/toasts.tsx'
import { describeProblem, type Remedy } from '#web/workspace/land-problems.ts'
import { netChanges, type ShapeDraft, type shapeDrafts } from '#web/workspace/shaping.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import type { ToolAction } from '#web/workspace/tool-actions.tsx'
import { CornerTable } from './corner-table.tsx'
import { type Editing, stepsInTurn } from './editing.ts'
import { problemsOf, problemsOfShape } from './land-warnings.ts'
import { NameDialog } from './name-dialog.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { ShapeBar } from './shape-bar.tsx'
import { ProblemsLayer, ShapesLayer } from './shape-edit-layers.tsx'
import {
  type Conflict,
  dividedOrMerged,
  type LoadedShape,
  newRecordOf,
  ShapeSession,
  withMine,
  withNames,
  withTheirs,
} from './shape-session.ts'
import { nameOf, namesOf, nounOf, shapesIn } from './shape-words.ts'
import { useCornerMode } from './use-corner-mode.tsx'
import { useDeedMode } from './use-deed-mode.tsx'
import { useLoadedShapes } from './use-loaded-shapes.ts'
import { useMergeMode } from './use-merge-mode.tsx'
import { type PathTask, usePathMode } from './use-path-mode.tsx'
import { useOpenedShape, useShapeInView } from './use-shape-in-view.ts'
import { useShapeSaving } from './use-shape-saving.ts'
import { useTransformMode } from './use-transform-mode.tsx'

type Mode = 'corners' | 'merge' | 'deed' | 'transform' | PathTask

type ShapeEditorProps = {
  mapId: string
  draft: ShapeDraft
  drafts: ReturnType<typeof shapeDrafts>
  /** Called before a change removes records, so that their details are not loaded again. */
  onRemoved(ids: ReadonlySet<string>): void
  /** Called after a record was saved that came from no other one. */
  onAdded(id: string): void
}

export function ShapeEditor({ mapId, draft, drafts, onRemoved, onAdded }: ShapeEditorProps) {
  const onDraft = drafts.set
  const begin = draft.begin?.steps === draft.steps.length ? draft.begin : undefined
  const [mode, setMode] = useState<Mode>(begin?.mode ?? 'corners')
  const [selected, select] = useState<CornerKey | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isTableOpen, setIsTableOpen] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isRecordOpen, setIsRecordOpen] = useState(false)
  const [isNaming, setIsNaming] = useState(false)
  const isOpen = !draft.isPaused
  const changes = useMemo(() => netChanges(draft.steps.slice(0, draft.done)), [draft])
  const keep = useMemo(() => new Set([draft.id, ...changes.keys()]), [draft.id, changes])
  const stored = useQuery({
    ...featureDetailQuery(mapId, draft.id),
    enabled: draft.added[draft.id] === undefined && begin?.mode !== 'deed',
  })
  const { loaded, loadedPart, view, isInView, isComplete, error, isLoading } = useLoadedShapes({
    mapId,
    kind: draft.kind,
    keep,
    shape: stored.data,
  })
  const session = useMemo(() => new ShapeSession([...loaded.values()], draft), [loaded, draft])
  const { graph } = session
  const active = graph.get(draft.id)
  // Far out, the shapes in view are too many to be loaded.
  const merged = begin?.mode === 'merge' ? begin.others : noOthers
  const opened = useOpenedShape(mapId, active ?? stored.data, merged)
  useShapeInView(draft.isPlaced ? undefined : opened, !isComplete)
  function toCorners() {
    const { begin, steps } = drafts.get() ?? draft
    // The editor was opened for this mode only.
    if (begin && steps.length === 0) onDraft(null)
    else setMode('corners')
  }

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
      const fault = faultIn(edit)
      if (fault) throw new ShapeRefusal(fault)
      onDraft(session.add(words, edit, news))
    },
    check(edit) {
      const fault = faultIn(edit)
      if (fault) return { words: [fault], areas: noAreas }
      const all = combineEdits(changes, edit)
      const listed = new Set(allProblems.map(({ key }) => key))
      graph.apply(edit)
      try {
        const caused = problemsOf(graph, all, loadedPart).filter(({ key }) => !listed.has(key))
        const areas = differingAreas(all, loaded, draft).filter((text) => !recordedAreas.includes(text))
        return {
          words: [...caused.map((one) => describe(one).text), ...areas].slice(0, maxWarnings),
          areas: caused.flatMap(({ geometry }) => geometry ?? []),
        }
      } finally {
        graph.revert(edit)
      }
    },
    activate: (id) => onDraft({ ...(drafts.get() ?? draft), id }),
    selected,
    select,
  }
  const pathTask =
    mode === 'corners' || mode === 'merge' || mode === 'deed' || mode === 'transform' ? null : mode
  const corners = useCornerMode(editing, isOpen && mode === 'corners')
  const merging = useMergeMode(editing, isOpen && mode === 'merge', {
    others: merged,
    onDone: toCorners,
  })
  const drawing = usePathMode(editing, isOpen ? pathTask : null, toCorners)
  const deed = useDeedMode(editing, isOpen && mode === 'deed', { onDone: toCorners, onSplit: drawing.split })
  const transform = useTransformMode(editing, isOpen && mode === 'transform', toCorners)
  const others = { corners, merge: merging, deed, transform }
  const current = pathTask === null ? others[mode as keyof typeof others] : drawing
  const { save, isSaving } = useShapeSaving({
    mapId,
    onSaved(saved) {
      onDraft(null)
      const id = newRecordOf(saved)
      if (id !== undefined) onAdded(id)
    },
    onProblem: setProblem,
  })

  const hasSteps = draft.steps.length > 0
  const steps = stepsInTurn(current.steps, {
    canUndo: draft.done > 0,
    canRedo: draft.done < draft.steps.length,
    undo: () => onDraft({ ...draft, done: Math.max(0, draft.done - 1) }),
    redo: () => onDraft({ ...draft, done: Math.min(draft.steps.length, draft.done + 1) }),
  })
  function cancel() {
    onDraft(null)
    if (!hasSteps) return
    showSuccess('Discarded changes of shapes', {
      dependsOn: { mapId, of: 'page', isAsLeft: () => drafts.get() === null, listen: drafts.listen },
      undo: () => onDraft(draft),
    })
  }
  const added = useMemo(
    () => [...changes.values()].flatMap(({ before, after }) => (!before && after ? [after] : [])),
    [changes],
  )
  function goOn() {
    setIsConfirming(false)
    if (added.length > 0) setIsNaming(true)
    else saveAll(draft)
  }
  function saveNamed(names: ReadonlyMap<string, string>) {
    setIsNaming(false)
    const named = withNames(draft, names)
    onDraft(named)
    saveAll(named)
  }
  function saveAll(saved: ShapeDraft) {
    onRemoved(new Set([...changes].flatMap(([id, { after }]) => (after ? [] : [id]))))
    save(saved)
  }
  useToolMode({
    isOn: isOpen,
    // Another tool is turned on: changes stay, also undone ones, which may be repeated.
    turnOff: () => onDraft(hasSteps ? { ...draft, isPaused: true } : null),
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
      if (isCommand && (key === 'y' || (key === 'z' && event.shiftKey))) steps.redo()
      else if (isCommand && key === 'z') steps.undo()
      else if (key === 'escape' && !hasSteps) cancel()
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

  const problems = useMemo(() => problemsOf(graph, changes, loadedPart), [graph, changes, loadedPart])
  // Of a long street, this takes longer than everything else when the editor opens.
  const checked = useDeferredValue(
    useMemo(() => (active ? { graph, active, loadedPart } : null), [graph, active, loadedPart]),
    null,
  )
  const found = useMemo(
    () => (checked ? problemsOfShape(checked.graph, checked.active, checked.loadedPart) : []),
    [checked],
  )
  const existing = useMemo(
    () => found.filter(({ ids }) => ids.every((id) => graph.get(id) !== undefined)),
    [found, graph],
  )
  const allProblems = useMemo(() => {
    const keys = new Set(problems.map(({ key }) => key))
    return [...problems, ...existing.filter(({ key }) => !keys.has(key))]
  }, [problems, existing])
  const problemAreas = useMemo(() => allProblems.flatMap(({ geometry }) => geometry ?? []), [allProblems])
  const conflicts = useMemo(() => session.conflicts(isInView), [session, isInView])
  const histories = useQueries({
    queries: conflicts.map(({ before }) => featureHistoryQuery(mapId, before.id)),
  })
  const theirShapes = useMemo(() => conflicts.flatMap(({ theirs }) => theirs ?? []), [conflicts])
  const recordedAreas = useMemo(() => differingAreas(changes, loaded, draft), [changes, loaded, draft])
  const { movingIds = none } = current
  const shown = useMemo(() => {
    const changed = [...changes.values()].flatMap(({ after }) => after ?? [])
    const all = active && !changes.has(active.id) ? [...changed, active] : changed
    return all.filter(({ id }) => !movingIds.has(id))
  }, [changes, active, movingIds])

  if (!isOpen)
    return (
      <ShapeBar
        text={
          changes.size > 0 ? `Unsaved shapes: ${namesOf(shapesIn(changes))}` : 'All shape changes are undone.'
        }
        actions={[
          { label: 'Discard', run: cancel },
          { label: 'Continue', isPrimary: true, run: () => onDraft({ ...draft, isPaused: false }) },
        ]}
      />
    )
  const warnings = mode === 'corners' ? allProblems : []
  const areaWarnings = mode === 'corners' ? recordedAreas : []
  const conflictWords = conflicts.map((conflict, index) => {
    const { before, theirs } = conflict
    const who = histories[index]?.data?.items[0]?.actor ?? 'someone else'
    const solve = (label: string, solved: (draft: ShapeDraft, conflict: Conflict) => ShapeDraft) => ({
      label,
      run: () => onDraft(solved(draft, conflict)),
    })
    return theirs
      ? {
          text: `${nameOf(before)} was changed by ${who}. The dashed outline shows the new shape`,
          actions: [solve('Use mine', withMine), solve('Use theirs', withTheirs)],
        }
      : {
          text: `${nameOf(before)} was removed by ${who}`,
          actions: [solve('Discard my changes to it', withTheirs)],
        }
  })
  function fix(landProblem: LandProblem, { label, keeper }: Remedy) {
    editing.attempt(() => {
      const proposal = proposeFix(graph, landProblem, keeper)
      if ('refused' in proposal) throw new ShapeRefusal(`Cannot fix this: ${proposal.refused}`)
      editing.add(label, proposal.edit)
    })
  }
  const describe = (landProblem: LandProblem) =>
    describeProblem(
      landProblem,
      landProblem.ids.map((id) => graph.shape(id).name),
    )
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
      isDisabled: changes.size === 0 || isSaving || conflicts.length > 0 || changes.size > maxOperations,
      run: () => (problems.length > 0 ? setIsConfirming(true) : goOn()),
    },
  ]
  const menu = [
    ...(isArea
      ? [
          { label: 'Reshape along a line', run: () => setMode('reshape') },
          { label: 'Cut a hole', run: () => setMode('hole') },
          { label: 'Add a part', run: () => setMode('part') },
          {
            label: 'Square corners',
            run: () => editing.attempt(() => editing.add('Square corners', squareCorners(graph, draft.id))),
          },
        ]
      : []),
    { label: 'Move or rotate', run: () => setMode('transform') },
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
        onGo={goOn}
      >
        {() => problems.slice(0, maxListed).map((one) => <p key={one.key}>{describe(one).text}.</p>)}
      </Confirmation>
      <RecordDialog
        mapId={mapId}
        featureId={stored.data?.id ?? null}
        isOpen={isRecordOpen}
        record={draft.record}
        onClose={() => setIsRecordOpen(false)}
        onRecord={(record) => {
          setIsRecordOpen(false)
          onDraft({ ...draft, record })
        }}
      />
      <NameDialog
        noun={nounOf(draft.kind)}
        shapes={added}
        isOpen={isNaming}
        onClose={() => setIsNaming(false)}
        onSave={saveNamed}
      />
      <ShapesLayer id="shaping-changed" shapes={shown} activeId={draft.id} />
      <ShapesLayer id="shaping-theirs" shapes={theirShapes} activeId={null} isDashed />
      <ProblemsLayer id="shaping-problems" areas={mode === 'corners' ? problemAreas : noAreas} />
      {/* The map engine cannot rename a source. */}
      <Fragment key={mode}>{current.layers}</Fragment>
      {isTableOpen && active && mode === 'corners' && (
        <CornerTable editing={editing} shape={active} onClose={() => setIsTableOpen(false)} />
      )}
      <ShapeBar
        text={active || mode === 'deed' ? current.text : missingWords(isComplete, isLoading)}
        readout={current.readout}
        hint={current.hint}
        passing={current.passing}
        problem={problem ?? (error ? 'Could not load shapes. Move the map to try again.' : null)}
        warnings={[
          ...conflictWords,
          ...warnings.slice(0, maxWarnings).map((landProblem) => {
            const { text, remedies } = describe(landProblem)
            const actions = remedies.map((remedy) => ({
              label: remedy.label,
              run: () => fix(landProblem, remedy),
            }))
            return { text, actions }
          }),
          ...areaWarnings.slice(0, maxWarnings).map((text) => ({ text, actions: [] })),
        ]}
        more={warnings.length - maxWarnings}
        fields={active && current.fields}
        steps={steps}
        actions={mode === 'corners' ? general : current.actions}
        menus={
          mode === 'corners'
            ? [
                { label: 'More', actions: active ? menu : [] },
                { label: 'Corner', actions: current.actions },
              ]
            : []
        }
        isSteady={mode === 'corners'}
      />
    </>
  )
}

/** Of shapes that were not divided or merged. */
function differingAreas(
  changes: ShapeEdit,
  loaded: ReadonlyMap<string, LoadedShape>,
  draft: ShapeDraft,
): string[] {
  const redivided = dividedOrMerged(draft)
  return [...changes].flatMap(([id, { after }]) => {
    const { area: recorded = null, geometry } = loaded.get(id) ?? {}
    // Saving updates an area that follows the shape.
    if (!geometry || recorded === null || isAreaOf(geometry, recorded)) return []
    const acres = after && !redivided.has(id) ? measureAcres(after.geometry) : null
    if (!after || acres === null || Math.abs(acres / recorded - 1) <= maxDifference) return []
    const [is, was] = [acres, recorded].map((area) => formatLand(area, readersUnits()))
    if (is === was) return []
    return [`${nameOf(after)} would measure ${is} instead of the recorded ${was}`]
  })
}

const maxDifference = 0.01
const noAreas: readonly Geometry[] = []
const noOthers: readonly string[] = []
const none: ReadonlySet<string> = new Set()
const maxWarnings = 3
const maxListed = 10

function missingWords(isComplete: boolean, isLoading: boolean): string {
  if (!isComplete) return 'Zoom in to edit this shape.'
  return isLoading ? 'Loading shapes…' : 'Move the map to the shape to edit it.'
}

/** Why a shape could not be saved. */
function faultIn(edit: ShapeEdit): string | null {
  for (const { after } of edit.values()) {
    const fault = after && findGeometryFault(after.geometry)
    if (fault) return `${nameOf(after)} ${fault.what}.`
  }
  return null
}
