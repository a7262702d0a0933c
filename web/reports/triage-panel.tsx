import { Button, Checkbox, Menu, NativeSelect, Textarea } from '@mantine/core'
import {
  IconCheck,
  IconCopy,
  IconDownload,
  IconEyeOff,
  IconMail,
  IconPencil,
  IconSettings,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatFacts } from '#domain/exports/export-format.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Report, ReportDecision } from '#domain/reports/report.schema.ts'
import { type ReportState, reportersInWords, reportNumber } from '#domain/reports/report-states.ts'
import { counted } from '#domain/values/wording.ts'
import { reportsExportAddress } from '#web/api/exports.api.ts'
import { reportsQuery, similarIncidentsQuery } from '#web/api/reports.api.ts'
import { useEditorId, useMay } from '#web/api/use-session.ts'
import { IncidentSelect } from '#web/features/incident-select.tsx'
import { InsertResponse } from '#web/features/insert-response.tsx'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows, NoPermission } from '#web/ui/states.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { BlockSender } from './block-sender.tsx'
import { distanceInWords } from './distance-in-words.ts'
import { HideAllReports } from './hide-all-reports.tsx'
import { ReportDetails } from './report-details.tsx'
import { ReportEditForm } from './report-edit-form.tsx'
import classes from './triage-panel.module.css'
import { useDecision } from './use-decision.ts'

type TriagePanelProps = {
  mapId: string
  selectedId: string | undefined
  onSelect(id: string | undefined): void
  onShow(place: LatLng): void
}

const listedStates = ['new', 'accepted', 'duplicate', 'rejected', 'hidden'] as const

export function TriagePanel(props: TriagePanelProps) {
  const editorId = useEditorId(props.mapId)
  if (editorId === null) return <NoPermission text="Only editors of this client can see reports." />
  return <Triage {...props} />
}

function Triage({ mapId, selectedId, onSelect, onShow }: TriagePanelProps) {
  const [state, setState] = useState<ReportState>('new')
  const list = useQuery(reportsQuery(mapId, state))
  const items = list.data?.items ?? []
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === selectedId),
  )
  const report = items[index]
  const [isEditing, setIsEditing] = useState(false)
  const decide = useDecision(mapId, (restored) => {
    setState(restored.state)
    onSelect(restored.id)
  })
  const isManager = useMay('manager', mapId)
  const [answer, setAnswer] = useState<Answer>(noAnswer)
  if (answer.id !== report?.id) setAnswer({ ...noAnswer, id: report?.id })
  const show = useEffectEvent((place: LatLng) => onShow(place))
  const { lat, lng } = report?.place ?? {}
  useEffect(() => {
    if (lat !== undefined && lng !== undefined) show({ lat, lng })
  }, [lat, lng])

  /** Focus follows the report that the keys act on, so that screen readers read it. */
  const panelRef = useRef<HTMLDivElement>(null)
  const movesFocus = useRef(false)
  function focusRow() {
    movesFocus.current = false
    const row = panelRef.current?.querySelector<HTMLElement>('[aria-current]')
    const focused = row ?? panelRef.current
    focused?.focus()
  }
  const reportId = report?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: after another report was selected
  useEffect(() => {
    if (movesFocus.current) focusRow()
  }, [reportId])

  function step(by: number) {
    const next = items[Math.min(items.length - 1, Math.max(0, index + by))]
    if (next === report) focusRow()
    else if (next) {
      movesFocus.current = true
      onSelect(next.id)
    }
    setIsEditing(false)
  }
  /** The list is shorter afterward: the next report takes the place of this one. */
  function make(decision: Partial<ReportDecision> & { state: ReportDecision['state'] }) {
    if (!report) return
    movesFocus.current = true
    onSelect(items[index + 1]?.id ?? items[index - 1]?.id)
    const { publicNote, publishesPhotos } = answer
    const photos = {
      publishesPhotos: decision.state === 'accepted' && publishesPhotos && report.photos.length > 0,
    }
    decide.mutate({ report, decision: { publicNote, ...photos, ...decision } })
  }
  const similar = useQuery({
    ...similarIncidentsQuery(mapId, report?.place ?? { lat: 0, lng: 0 }),
    enabled: report !== undefined && report.state === 'new',
  })
  const candidates = (similar.data?.items ?? []).filter(({ id }) => id !== report?.id)
  const choiceRef = useRef<HTMLElement>(null)
  /** Without a choice of the reporter, staff confirm an incident: D focuses the first one, and again the next one. */
  function merge() {
    if (report?.duplicateOf) return make({ state: 'duplicate', duplicateOf: report.duplicateOf })
    const choices = [...(choiceRef.current?.querySelectorAll<HTMLElement>('button, input') ?? [])]
    choices[choices.findIndex((one) => one === document.activeElement) + 1]?.focus()
  }
  const commands: Record<string, (() => void) | undefined> = {
    j: () => step(1),
    k: () => step(-1),
    a: report && report.state !== 'accepted' ? () => make({ state: 'accepted' }) : undefined,
    r: () => make({ state: 'rejected' }),
    d: report?.state === 'new' ? merge : undefined,
    h: () => make({ state: 'hidden' }),
    e: report && report.state !== 'accepted' ? () => setIsEditing(true) : undefined,
  }
  useKeys(commands, panelRef)

  if (list.isError && !list.data)
    return <ErrorState title="Could not load reports." error={list.error} onRetry={() => list.refetch()} />
  return (
    <div ref={panelRef} className={classes.panel} tabIndex={-1}>
      <div className={classes.buttons}>
        {isManager && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconSettings size={16} aria-hidden="true" />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/config/map/$mapId/$section"
                params={{ mapId, section: 'report-settings' }}
              />
            )}
          >
            Report settings
          </Button>
        )}
        <ExportReports mapId={mapId} />
        {list.data?.sendsMail && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconMail size={16} aria-hidden="true" />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/config/map/$mapId/$section"
                params={{ mapId, section: 'features' }}
                search={{ kind: 'parcel' }}
              />
            )}
            onClick={() => showSuccess('Select parcels or roads, then choose ‘Send a notice’ in ‘Actions’')}
          >
            Send a notice
          </Button>
        )}
      </div>
      <NativeSelect
        label="Show"
        value={state}
        onChange={(event) => {
          setState(event.currentTarget.value as ReportState)
          onSelect(undefined)
        }}
        data={listedStates.map((value) => ({ value, label: stateTabs[value] }))}
      />
      {list.isPending ? (
        <LoadingRows label="Loading reports" />
      ) : (
        <>
          <p className={classes.count} role="status">
            {counted(list.data?.total ?? 0, 'report')}
          </p>
          {state === 'new' && items.length > 1 && <HideAllReports mapId={mapId} reports={items} />}
          {items.length === 0 && <EmptyState text={emptyTexts[state] ?? 'No reports.'} />}
          {items.length > 0 && (
            <ul
              className={classes.rows}
              aria-label="Reports"
              onKeyDown={(event) => {
                const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
                if (by === undefined) return
                event.preventDefault()
                step(by)
              }}
            >
              {items.map((item) => (
                <li key={item.id}>
                  <button
                    type="button"
                    tabIndex={item === report ? 0 : -1}
                    aria-current={item === report || undefined}
                    onClick={() => {
                      onSelect(item.id)
                      setIsEditing(false)
                    }}
                  >
                    <TypeIcon kind="incident" type={item.type} size={24} />
                    <span>
                      <b>{item.title}</b>
                      <span className={classes.meta}>
                        {reportNumber(item.number)} · {relativeTime(item.madeAt)}
                        {item.photos.length > 0 && ` · ${counted(item.photos.length, 'photo')}`}
                      </span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {report && isEditing && (
            <ReportEditForm
              key={report.id}
              mapId={mapId}
              report={report}
              onClose={() => setIsEditing(false)}
            />
          )}
          {report && !isEditing && (
            <ReportDetails mapId={mapId} report={report} sendsMail={list.data?.sendsMail ?? true}>
              {report.state === 'new' && (
                <section ref={choiceRef}>
                  {candidates.length > 0 && (
                    <>
                      <h3>Already on the map</h3>
                      <ul className={classes.similar}>
                        {candidates.map(({ id, title, distanceMeters, reporters }) => (
                          <li key={id}>
                            {title} (
                            {[distanceInWords({ distanceMeters }), ...reportersInWords(reporters)].join(', ')}
                            ) {id === report.duplicateOf && <b>reporter chose this one </b>}
                            <Button
                              size="compact-xs"
                              variant="default"
                              aria-label={`Same problem as ‘${title}’`}
                              onClick={() => make({ state: 'duplicate', duplicateOf: id })}
                            >
                              Same problem
                            </Button>
                          </li>
                        ))}
                      </ul>
                    </>
                  )}
                  <IncidentSelect
                    mapId={mapId}
                    label={candidates.length > 0 ? 'Same problem as another incident' : 'Same problem as'}
                    place={report.place}
                    without={[report.id, ...candidates.map(({ id }) => id)]}
                    onChoose={({ id }) => make({ state: 'duplicate', duplicateOf: id })}
                  />
                </section>
              )}
              <Decisions
                mapId={mapId}
                report={report}
                answer={answer}
                onAnswer={(changed) => setAnswer({ ...answer, ...changed })}
                commands={commands}
                onMake={make}
              />
            </ReportDetails>
          )}
        </>
      )}
    </div>
  )
}

const stateTabs: Record<(typeof listedStates)[number], string> = {
  new: 'New reports',
  accepted: 'On the map',
  duplicate: 'Duplicates',
  rejected: 'Rejected',
  hidden: 'Hidden',
}

const emptyTexts: Partial<Record<ReportState, string>> = {
  new: 'No reports are waiting for review.',
}

/** Decide on the selected report, unless the focus is elsewhere. J and K move there from anywhere. */
function useKeys(
  commands: Record<string, (() => void) | undefined>,
  panelRef: RefObject<HTMLElement | null>,
) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey } = event
    const key = event.key.toLowerCase()
    const isTyping =
      target instanceof HTMLElement &&
      target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]')
    if (ctrlKey || metaKey || altKey || isTyping) return
    const isMove = key === 'j' || key === 'k'
    const panel = panelRef.current
    // Without a focus of its own, the page or what surrounds the panel has it.
    const isHere = target instanceof Node && (panel?.contains(target) || target.contains(panel))
    if (!isHere && !isMove) return
    const command = commands[key]
    // A held key decides one report.
    if (!command || (event.repeat && !isMove)) return
    event.preventDefault()
    command()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** Keys and buttons send the same. */
type Answer = { id: string | undefined; publicNote: string; publishesPhotos: boolean }

const maxPublicNote = 1_000

const decisionStates = ['accepted', 'rejected', 'duplicate', 'hidden'] as const

const noAnswer: Answer = { id: undefined, publicNote: '', publishesPhotos: true }

type DecisionsProps = {
  mapId: string
  report: Report
  answer: Answer
  onAnswer(changed: Partial<Answer>): void
  commands: Record<string, (() => void) | undefined>
  onMake(decision: Partial<ReportDecision> & { state: ReportDecision['state'] }): void
}

function Decisions({ mapId, report, answer, onAnswer, commands, onMake }: DecisionsProps) {
  const { state, photos } = report
  const noteRef = useRef<HTMLTextAreaElement>(null)
  return (
    <form className={classes.decisions} onSubmit={(event) => event.preventDefault()}>
      {state !== 'accepted' && photos.length > 0 && (
        <Checkbox
          label="Make photos public when accepted"
          checked={answer.publishesPhotos}
          onChange={(event) => onAnswer({ publishesPhotos: event.currentTarget.checked })}
        />
      )}
      <Textarea
        ref={noteRef}
        label="Note to the reporter (optional)"
        autosize
        minRows={1}
        maxLength={maxPublicNote}
        value={answer.publicNote}
        onChange={(event) => onAnswer({ publicNote: event.currentTarget.value })}
      />
      <InsertResponse
        mapId={mapId}
        states={decisionStates.filter((one) => one !== state)}
        type={report.type}
        text={answer.publicNote}
        maxLength={maxPublicNote}
        fieldRef={noteRef}
        onInsert={(publicNote) => onAnswer({ publicNote })}
      />
      <div className={classes.buttons}>
        {state !== 'accepted' && (
          <Button
            size="sm"
            leftSection={<IconCheck size={16} aria-hidden="true" />}
            onClick={() => onMake({ state: 'accepted' })}
          >
            Accept (A)
          </Button>
        )}
        {state !== 'new' && <SmallButton onClick={() => onMake({ state: 'new' })}>Review again</SmallButton>}
        {state !== 'rejected' && (
          <SmallButton icon={IconX} onClick={() => onMake({ state: 'rejected' })}>
            Reject (R)
          </SmallButton>
        )}
        {state === 'new' && (
          <SmallButton icon={IconCopy} onClick={commands.d}>
            Merge as duplicate (D)
          </SmallButton>
        )}
        {state !== 'hidden' && (
          <SmallButton icon={IconEyeOff} onClick={() => onMake({ state: 'hidden' })}>
            Hide (H)
          </SmallButton>
        )}
        {state !== 'accepted' && (
          <SmallButton icon={IconPencil} onClick={commands.e}>
            Edit (E)
          </SmallButton>
        )}
      </div>
      <BlockSender mapId={mapId} report={report} />
      <p className={classes.meta}>J and K select the next and previous report.</p>
    </form>
  )
}

const ExportReports = ({ mapId }: { mapId: string }) => (
  <Menu position="bottom-start" withinPortal>
    <Menu.Target>
      <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden="true" />}>
        Export
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {(['xlsx', 'csv'] as const).map((format) => (
        <Menu.Item key={format} component="a" href={reportsExportAddress(mapId, format)} download>
          {formatFacts[format].label}, all reports
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
