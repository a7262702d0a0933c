import { ActionIcon, Button, NumberInput, Textarea } from '@mantine/core'
import { IconArrowUp, IconTrash, IconX } from '@tabler/icons-react'
import { type Call, formatDirection, type StraightCall } from '#domain/deeds/call.ts'
import type { Deed } from '#domain/deeds/read-deed.ts'
import { adjustByCompassRule, closeLastCall, type Traverse } from '#domain/deeds/traverse.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { distanceMeters } from '#domain/geometry/measure-path.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { usePressWord } from '#web/ui/device.ts'
import { formatArea, formatDistance, inBothUnits, readersUnits } from '#web/ui/measures.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { CallField } from './call-field.tsx'
import classes from './shaping.module.css'

export type DeedInput = {
  text: string
  /** After the user changed them; null: those of the text. */
  calls: readonly Call[] | null
  /** A computed call closes the deed. Null: if the text says so. */
  isClosed: boolean | null
  rotationDegrees: number
  /** The corner where the deed begins. */
  start: Position | null
}

/** A change of the calls that is shown before it is applied. */
export type DeedProposal = { name: string; calls: readonly Call[] }

type DeedPanelProps = {
  input: DeedInput
  deed: Deed
  /** Those of the text or the user. */
  calls: readonly Call[]
  /** Added to the calls. */
  closing: StraightCall | null
  traverse: Traverse | null
  proposal: DeedProposal | null
  /** With the calls of the proposal. */
  proposed: Traverse | null
  /** As in ‘parcel’. */
  noun: string
  canReplace: boolean
  onInput(input: DeedInput): void
  onPropose(proposal: DeedProposal | null): void
  onAdd(): void
  onReplace(): void
  onSplit(): void
  onClose(): void
}

export function DeedPanel(props: DeedPanelProps) {
  const { input, deed, calls, closing, traverse, proposal, proposed, noun, canReplace } = props
  const { onInput, onPropose, onClose } = props
  const press = usePressWord()
  const changeCalls = (changed: readonly Call[]) => onInput({ ...input, calls: changed })
  const isUsable = traverse !== null && proposal === null
  return (
    <section className={`${classes.table} ${classes.deed}`} aria-label="Deed">
      <header>
        <h2>From a deed</h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close deed" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <div className={classes.rows}>
        <div className={classes.form}>
          <Textarea
            label="Legal description"
            placeholder={'Thence N 45°30\'15" E 120.50 feet; thence …'}
            autosize
            minRows={3}
            maxRows={6}
            value={input.text}
            onChange={({ currentTarget }) => {
              onPropose(null)
              onInput({ ...input, text: currentTarget.value, calls: null, isClosed: null })
            }}
          />
          {calls.length > 0 && input.start === null && (
            <p role="status">{press} the corner on the map where the deed begins.</p>
          )}
          {input.calls === null &&
            deed.unread.map(({ start, end, message }) => (
              <p key={start} className={classes.warning}>
                {message} ‘{shortened(input.text.slice(start, end))}’
              </p>
            ))}
          {traverse && !proposed && <ClosureFacts traverse={traverse} calls={calls} closing={closing} />}
          {traverse && proposal && proposed && (
            <ProposalFacts name={proposal.name} before={traverse} after={proposed} />
          )}
          {traverse && (
            <div className={classes.buttons}>
              {proposal ? (
                <>
                  <SmallButton onClick={() => onPropose(null)}>Cancel</SmallButton>
                  <SmallButton
                    variant="filled"
                    onClick={() => {
                      changeCalls(proposal.calls)
                      onPropose(null)
                    }}
                  >
                    Apply
                  </SmallButton>
                </>
              ) : (
                <>
                  {traverse.closure.errorMeters >= leastErrorMeters && (
                    <>
                      <SmallButton
                        onClick={() =>
                          onPropose({ name: 'The compass rule', calls: adjustByCompassRule(calls) })
                        }
                      >
                        Adjust (compass rule)
                      </SmallButton>
                      <SmallButton
                        onClick={() =>
                          onPropose({ name: 'Closing the last call', calls: closeLastCall(calls) })
                        }
                      >
                        Close the last call
                      </SmallButton>
                    </>
                  )}
                  {(input.calls !== null || input.isClosed !== null) && (
                    <SmallButton onClick={() => onInput({ ...input, calls: null, isClosed: null })}>
                      Revert to the text
                    </SmallButton>
                  )}
                </>
              )}
            </div>
          )}
          {calls.length > 0 && (
            <ol
              className={classes.calls}
              aria-label={counted(calls.length + (closing ? 1 : 0), 'call')}
              inert={proposal !== null}
            >
              {calls.map((call, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their position
                <li key={index}>
                  <CallField
                    label={`Call ${index + 1}`}
                    call={call}
                    onChange={(changed) => changeCalls(calls.with(index, changed))}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove call ${index + 1}`}
                    onClick={() => changeCalls(calls.toSpliced(index, 1))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </li>
              ))}
              {closing && (
                <li>
                  <CallField
                    label={`Call ${calls.length + 1}, computed`}
                    description="Computed: back to the beginning"
                    call={closing}
                    onChange={(changed) => onInput({ ...input, calls: [...calls, changed], isClosed: false })}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove call ${calls.length + 1}`}
                    onClick={() => onInput({ ...input, isClosed: false })}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </li>
              )}
            </ol>
          )}
          <NumberInput
            label="North of the deed"
            description="0 for true north. For magnetic north, the declination in degrees east; for grid north, the convergence"
            size="xs"
            min={-180}
            max={180}
            decimalScale={6}
            value={input.rotationDegrees}
            onChange={(value) => onInput({ ...input, rotationDegrees: Number(value) || 0 })}
          />
        </div>
      </div>
      <footer className={classes.buttons}>
        {canReplace && (
          <>
            <Button size="xs" variant="default" disabled={!isUsable} onClick={props.onSplit}>
              Split along it
            </Button>
            <Button size="xs" variant="default" disabled={!isUsable} onClick={props.onReplace}>
              Replace shape
            </Button>
          </>
        )}
        <Button size="xs" disabled={!isUsable} onClick={props.onAdd}>
          New {noun}
        </Button>
      </footer>
    </section>
  )
}

/** Deeds are written in hundredths of a foot, so that smaller errors are those of rounding. */
const leastErrorMeters = 0.01

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** Of 1:n. Surveys of land are several times as precise. */
const poorPrecision = 1_000

type ClosureFactsProps = Pick<DeedPanelProps, 'calls' | 'closing'> & { traverse: Traverse }

function ClosureFacts({ traverse, calls, closing }: ClosureFactsProps) {
  const { closure, perimeterMeters, areaSquareMeters } = traverse
  const { precision, errorMeters, azimuthDegrees } = closure
  return (
    <p role="status">
      {inBothUnits(formatArea, areaSquareMeters)}, perimeter {inBothUnits(formatDistance, perimeterMeters)}
      <br />
      {closing ? (
        `The calls of the deed end ${inBothUnits(formatDistance, closing.lengthMeters)} from the beginning. Call ${calls.length + 1} is computed and closes it.`
      ) : precision === null ? (
        'The calls close.'
      ) : (
        <>
          Closing error {inBothUnits(formatDistance, errorMeters)}, 1:{formatNumber(precision)}.
          {precision < poorPrecision && ' That is large: check the calls.'} From the end, the beginning is{' '}
          {formatDirection(Math.round(azimuthDegrees * 3_600) / 3_600, 'quadrant')}
          <IconArrowUp
            size={14}
            aria-hidden="true"
            style={{ transform: `rotate(${azimuthDegrees}deg)`, verticalAlign: 'text-bottom' }}
          />
        </>
      )}
    </p>
  )
}

type ProposalFactsProps = { name: string; before: Traverse; after: Traverse }

function ProposalFacts({ name, before, after }: ProposalFactsProps) {
  const places = ({ ends, corners }: Traverse) => ends.map((end) => corners[end] as Position)
  const earlier = places(before)
  const moved = places(after).map((place, index) => distanceMeters(earlier[index] ?? place, place))
  const [was, is] = [before, after].map(({ areaSquareMeters }) =>
    formatArea(areaSquareMeters, readersUnits()),
  )
  return (
    <p role="status">
      {name} would move corners by up to {inBothUnits(formatDistance, Math.max(...moved))}. Area: {was} to{' '}
      {is}. The dashed line on the map is the deed before it.
    </p>
  )
}
