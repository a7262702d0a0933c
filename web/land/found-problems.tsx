import { Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { maxOperations } from '#domain/features/feature-changes.schema.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import type { Fixes } from '#domain/land-check/fix-problems.ts'
import type { FoundProblem, LandCheckAnswer } from '#domain/land-check/land-check.schema.ts'
import type { ProblemClass } from '#domain/land-check/land-problem.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { shapesInBoxQuery } from '#web/api/features.api.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { describeProblem, type Remedy } from '#web/workspace/land-problems.ts'
import { addFixes, shapeDrafts, startShaping, unsavedChanges } from '#web/workspace/shaping.ts'
import classes from './land.module.css'
import { boundsOf, classFacts, isFixedWithAll, problemClassNames } from './problems.ts'

type FoundProblemsProps = {
  mapId: string
  editorId: string
  check: LandCheckAnswer
  onShow(extent: Bounds): void
  onEdit(): void
}

/** The last attempt to fix problems. */
type Attempt = {
  name: ProblemClass
  words: string
  refused: ReadonlyMap<string, string>
  isStarted?: boolean
}

export function FoundProblems({ mapId, editorId, check, onShow, onEdit }: FoundProblemsProps) {
  const client = useQueryClient()
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  /** Keys of problems whose fixes are in the draft. */
  const [fixed, setFixed] = useState<ReadonlySet<string>>(new Set())
  const draft = shapeDrafts(editorId, mapId).use()
  const hasDraft = draft !== null
  const [fixing, setFixing] = useState<{ name: ProblemClass; done: number; total: number } | null>(null)
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function fix(name: ProblemClass, problems: readonly FoundProblem[], remedy?: Remedy) {
    const controller = new AbortController()
    leaving.current = controller
    let done = 0
    setAttempt(null)
    try {
      const { fixProblems } = await loadChunk(() => import('#domain/land-check/fix-problems.ts'))
      const fixes = await fixProblems(problems, {
        start: unsavedChanges(editorId, mapId, 'parcel'),
        keeper: remedy?.keeper,
        maxChanges: maxOperations,
        async load([west, south, east, north]) {
          const box = [west, south, east, north].map((value) => value.toFixed(6)).join(',')
          const answer = await client.fetchQuery({
            ...shapesInBoxQuery(mapId, 'parcel', box),
            staleTime: 0,
            gcTime: 0,
          })
          return answer.isComplete ? answer.items : null
        },
        async pause() {
          await new Promise((resume) => setTimeout(resume))
          controller.signal.throwIfAborted()
          setFixing({ name, done: done++, total: problems.length })
        },
      })
      const words =
        remedy && problems.length === 1 ? remedy.label : `Fix ${counted(fixes.fixed.length, 'problem')}`
      const isStarted = addFixes(editorId, mapId, { kind: 'parcel', words, ...fixes })
      setAttempt({ name, words: outcomeWords(fixes, isStarted), refused: fixes.refused, isStarted })
      if (!isStarted) return
      setFixed((before) => new Set([...(hasDraft ? before : []), ...fixes.fixed]))
      onEdit()
    } catch (error) {
      if (!controller.signal.aborted)
        setAttempt({ name, words: (error as Error).message, refused: new Map() })
    } finally {
      setFixing(null)
    }
  }

  function editByHand({ ids: [id], box }: FoundProblem) {
    if (id === undefined) return
    onShow(boundsOf(box))
    startShaping(editorId, mapId, { kind: 'parcel', id, isPlaced: true })
    onEdit()
  }

  const found = problemClassNames.filter((name) => (check.counts[name] ?? 0) > 0)
  return (
    <>
      {found.length === 0 && check.parcels > 0 && !check.isOutdated && <p>No problems found.</p>}
      {found.map((name) => {
        const problems = check.problems.filter((one) => one.class === name)
        const current = problems.filter(isFixedWithAll)
        return (
          <section key={name} aria-label={classFacts[name].title}>
            <Disclosure
              label={
                <>
                  <span className={classes.dot} style={{ background: classFacts[name].color }} />
                  {classFacts[name].title} ({formatNumber(check.counts[name] ?? 0)})
                </>
              }
              look="title"
              beside={
                current.length > 0 && (
                  <SmallButton
                    disabled={fixing !== null}
                    aria-label={`Fix all: ${classFacts[name].title}`}
                    onClick={() => void fix(name, current)}
                  >
                    Fix all
                  </SmallButton>
                )
              }
            >
              <p className={classes.what}>{classFacts[name].what}</p>
              <ProblemRows
                problems={problems}
                refused={attempt?.refused}
                fixed={draft && draft.done > 0 ? fixed : noKeys}
                isDisabled={fixing !== null}
                onShow={({ box }) => onShow(boundsOf(box))}
                onFix={(problem, remedy) => {
                  onShow(boundsOf(problem.box))
                  void fix(name, [problem], remedy)
                }}
                onEdit={editByHand}
              />
            </Disclosure>
            {fixing?.name === name && fixing.total > 1 && (
              <div className={classes.start}>
                <Progress
                  className={classes.progress}
                  value={(100 * fixing.done) / fixing.total}
                  aria-label="Progress of the fixes"
                />
                <SmallButton onClick={() => leaving.current?.abort()}>Cancel</SmallButton>
              </div>
            )}
            {attempt?.name === name && (hasDraft || !attempt.isStarted) && (
              <p role="status">{attempt.words}</p>
            )}
          </section>
        )
      })}
      {check.unchecked.length > 0 && (
        <section aria-label="Not checked">
          <Disclosure label={`Not checked (${formatNumber(check.unchecked.length)})`} look="title">
            <ul className={classes.rows}>
              {check.unchecked.slice(0, rowsAtOnce).map(({ names, reason }) => (
                <li key={`${names.join()} ${reason}`}>
                  {names.length > 0 && <b>{names.join(' and ')}: </b>}
                  {reason}
                </li>
              ))}
            </ul>
          </Disclosure>
        </section>
      )}
    </>
  )
}

function outcomeWords({ fixed, gone, refused, left }: Fixes, isStarted: boolean): string {
  if (fixed.length > 0 && !isStarted) return 'Save or cancel the changed shapes on the map first.'
  const parts = [
    fixed.length > 0 && `Fixed ${counted(fixed.length, 'problem')}: look at the map, then save there.`,
    gone > 0 && `${counted(gone, 'problem')} no longer exist${gone === 1 ? 's' : ''}.`,
    refused.size > 0 && `${counted(refused.size, 'problem')} cannot be fixed automatically: see the list.`,
    left > 0 && `${counted(left, 'problem')} left for the next time: too many parcels for one change.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const noKeys: ReadonlySet<string> = new Set()
const rowsAtOnce = 50

type ProblemRowsProps = {
  problems: readonly FoundProblem[]
  refused: ReadonlyMap<string, string> | undefined
  fixed: ReadonlySet<string>
  isDisabled: boolean
  onShow(problem: FoundProblem): void
  onFix(problem: FoundProblem, remedy: Remedy): void
  onEdit(problem: FoundProblem): void
}

function ProblemRows({ problems, refused, fixed, isDisabled, onShow, onFix, onEdit }: ProblemRowsProps) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <>
      <ul className={classes.rows}>
        {problems.slice(0, shown).map((problem) => {
          const { text, remedies } = describeProblem(problem, problem.names)
          const reason = refused?.get(problem.key)
          return (
            <li key={problem.key} data-past={problem.isCurrent ? undefined : true}>
              <button
                type="button"
                className={classes.place}
                title="Show on the map"
                onClick={() => onShow(problem)}
              >
                {text}
              </button>
              {reason !== undefined && <p className={classes.problem}>{reason}</p>}
              {fixed.has(problem.key) ? (
                <p>Fixed, but not saved yet</p>
              ) : problem.isCurrent ? (
                <div className={classes.remedies}>
                  {remedies.map((remedy) => (
                    <SmallButton
                      key={remedy.label}
                      size="compact-xs"
                      disabled={isDisabled}
                      onClick={() => onFix(problem, remedy)}
                    >
                      {remedy.label}
                    </SmallButton>
                  ))}
                  {reason !== undefined && (
                    <SmallButton size="compact-xs" onClick={() => onEdit(problem)}>
                      Edit shape
                    </SmallButton>
                  )}
                </div>
              ) : (
                <p>Changed since the check</p>
              )}
            </li>
          )
        })}
      </ul>
      {shown < problems.length && (
        <SmallButton onClick={() => setShown(shown + rowsAtOnce)}>
          Show more ({formatNumber(problems.length - shown)})
        </SmallButton>
      )}
    </>
  )
}
