import { ActionIcon, Button, NumberInput, Textarea } from '@mantine/core'
import { IconArrowUp, IconTrash, IconX } from '@tabler/icons-react'
import { type Call, formatDirection } from '#domain/deeds/call.ts'
import type { Deed } from '#domain/deeds/read-deed.ts'
import { adjustByCompassRule, closeLastCall, type Traverse } from '#domain/deeds/traverse.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { usePressWord } from '#web/ui/device.ts'
import { formatArea, formatDistance, inBothUnits } from '#web/ui/measures.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { CallField } from './call-field.tsx'
import classes from './shaping.module.css'

/** Text of a deed, or its calls after the user changed them. */
export type DeedInput = { text: string; calls: readonly Call[] | null; rotationDegrees: number }

type DeedPanelProps = {
  input: DeedInput
  deed: Deed
  calls: readonly Call[]
  traverse: Traverse | null
  hasStart: boolean
  /** As in ‘parcel’. */
  noun: string
  canReplace: boolean
  onInput(input: DeedInput): void
  onAdd(): void
  onReplace(): void
  onSplit(): void
  onClose(): void
}

export function DeedPanel(props: DeedPanelProps) {
  const { input, deed, calls, traverse, hasStart, noun, canReplace, onInput, onClose } = props
  const press = usePressWord()
  const changeCalls = (changed: readonly Call[]) => onInput({ ...input, calls: changed })
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
            onChange={({ currentTarget }) => onInput({ ...input, text: currentTarget.value, calls: null })}
          />
          {calls.length > 0 && !hasStart && (
            <p role="status">{press} the corner on the map where the deed begins.</p>
          )}
          {input.calls === null &&
            deed.unread.map(({ start, end, message }) => (
              <p key={start} className={classes.warning}>
                {message} ‘{shortened(input.text.slice(start, end))}’
              </p>
            ))}
          {calls.length > 0 && (
            <ol className={classes.calls} aria-label={counted(calls.length, 'call')}>
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
            </ol>
          )}
          <NumberInput
            label="North of the deed"
            description="Degrees east of true north, for magnetic or grid north"
            size="xs"
            min={-180}
            max={180}
            decimalScale={6}
            value={input.rotationDegrees}
            onChange={(value) => onInput({ ...input, rotationDegrees: Number(value) || 0 })}
          />
          {traverse && <ClosureFacts traverse={traverse} />}
          {traverse && (
            <div className={classes.buttons}>
              {traverse.closure.errorMeters >= leastErrorMeters && (
                <>
                  <SmallButton onClick={() => changeCalls(adjustByCompassRule(calls))}>
                    Adjust (compass rule)
                  </SmallButton>
                  <SmallButton onClick={() => changeCalls(closeLastCall(calls))}>
                    Close the last call
                  </SmallButton>
                </>
              )}
              {input.calls !== null && (
                <SmallButton onClick={() => onInput({ ...input, calls: null })}>Revert</SmallButton>
              )}
            </div>
          )}
        </div>
      </div>
      <footer className={classes.buttons}>
        {canReplace && (
          <>
            <Button size="xs" variant="default" disabled={!traverse} onClick={props.onSplit}>
              Split along it
            </Button>
            <Button size="xs" variant="default" disabled={!traverse} onClick={props.onReplace}>
              Replace shape
            </Button>
          </>
        )}
        <Button size="xs" disabled={!traverse} onClick={props.onAdd}>
          New {noun}
        </Button>
      </footer>
    </section>
  )
}

/** Deeds are written in hundredths of a foot, so that smaller errors are those of rounding. */
const leastErrorMeters = 0.01

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

function ClosureFacts({ traverse: { closure, perimeterMeters, areaSquareMeters } }: { traverse: Traverse }) {
  const { precision, errorMeters, azimuthDegrees } = closure
  return (
    <p role="status">
      {inBothUnits(formatArea, areaSquareMeters)}, perimeter {inBothUnits(formatDistance, perimeterMeters)}
      <br />
      {precision === null ? (
        'The calls close.'
      ) : (
        <>
          Closing error {inBothUnits(formatDistance, errorMeters)}, 1:{formatNumber(precision)}{' '}
          <IconArrowUp
            size={14}
            style={{ transform: `rotate(${azimuthDegrees}deg)` }}
            aria-label={formatDirection(azimuthDegrees, 'quadrant')}
          />
        </>
      )}
    </p>
  )
}
