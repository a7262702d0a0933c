import {
  type Call,
  type CurveCall,
  callLengthMeters,
  chordMeters,
  deltaOf,
  halfTurnDegrees,
  normalizeAzimuth,
  radians,
} from './call.ts'
import type { Direction, Length } from './notation.ts'

/** Indexes in the text. */
export type Span = { start: number; end: number }

export type Label = 'radius' | 'arc' | 'chord' | 'delta' | 'tangent' | 'radial' | 'concave'

/** A passage with at most one call. */
export type Clause = {
  start: number
  /** From the first to the last measure. */
  span?: Span
  /** Looks like a call even without any measure. */
  isThence?: boolean
  /** Begins with 'commencing' or 'beginning': its calls are ties if they are measured from something. */
  isPreamble?: boolean
  firstCall: number
  isTie?: boolean
  /** The next direction leads to a monument. */
  isReference?: boolean
  /** Has a direction such as northerly, and which one the line or curve follows. */
  isVague?: boolean
  vagueDegrees?: number
  isCurve?: boolean
  /** A curve described at the end of the previous call: '... to the beginning of a curve; thence ...' */
  isAnnounced?: boolean
  curveStart?: number
  isNonTangent?: boolean
  label?: Label | undefined
  direction?: Direction | undefined
  length?: Length
  /** Written before the direction, or where the line passes something. */
  spareLength?: Length | undefined
  spareSpan?: Span
  unknownUnit?: string
  turn?: 'left' | 'right' | undefined
  concaveDegrees?: number | undefined
  radius?: Length
  arc?: Length
  chord?: Length
  deltaDegrees?: number
  chordDirection?: Direction | undefined
  tangentDegrees?: number
  /** From the start of a curve to its center. */
  centerDegrees?: number
  problem?: string
}

export const hasLength = ({ length, spareLength }: Clause) => (length ?? spareLength) !== undefined
export const isStraight = (clause: Clause) =>
  !clause.isCurve && clause.direction !== undefined && hasLength(clause)
export const isWholeCurve = ({ isCurve, radius, arc, chord, deltaDegrees }: Clause) =>
  isCurve && [radius, arc ?? chord, deltaDegrees].filter((measure) => measure !== undefined).length >= 2

/** `note` is a contradiction between the measures. */
export type ReadCall = { call: Call; note: string | null }

/**
 * The call of a clause, or a message why there is none, or null if it need not have one. `exitDegrees` is the
 * direction in which the previous call ends, null if it could not be read.
 */
export function callOf(clause: Clause, exitDegrees: number | null): ReadCall | string | null {
  return clause.problem ?? (clause.isCurve ? curveOf(clause, exitDegrees) : straightOf(clause))
}

function straightOf(clause: Clause): ReadCall | string | null {
  const { direction, isThence, unknownUnit } = clause
  const length = clause.length ?? clause.spareLength
  if (direction && length)
    return {
      call: { kind: 'straight', ...direction, lengthMeters: length.meters, unit: length.unit },
      note: null,
    }
  if (direction && unknownUnit && unknownUnit !== 'and') return `The unit '${unknownUnit}' is not supported.`
  if (direction) return 'No distance found.'
  if (!isThence) return null
  if (clause.isVague) return 'The direction is approximate. Type a bearing.'
  return length ? 'No bearing found.' : 'No bearing and no distance found.'
}

function curveOf(clause: Clause, exitDegrees: number | null): ReadCall | string | null {
  const { radius, arc, chord, chordDirection } = clause
  if (!clause.span) return clause.isThence ? noRadius : null
  const measure = arc ?? chord
  const delta = radians(clause.deltaDegrees ?? 0)
  const unitRadius = arc ? delta : 2 * Math.sin(delta / 2)
  const radiusMeters = radius?.meters ?? (measure && delta ? measure.meters / unitRadius : undefined)
  const unit = (radius ?? measure)?.unit
  if (!radiusMeters || !unit) return noRadius
  if (!delta && !measure) return 'The curve needs an arc length, a central angle or a chord.'
  const given = arc ? 'arc' : 'chord'
  const deltaDegrees = clause.deltaDegrees ?? deltaOf(given, measure?.meters ?? 0, radiusMeters)
  if (!deltaDegrees) return 'The arc or chord is too long for the radius.'
  const turn = clause.turn ?? turnOfConcave(clause, exitDegrees)
  if (!turn) return 'The curve needs a direction: left or right.'
  const call: CurveCall = {
    kind: 'curve',
    turn,
    radiusMeters,
    deltaDegrees,
    chordAzimuthDegrees: chordDirection?.azimuthDegrees ?? null,
    given: delta ? 'delta' : given,
    form: chordDirection?.form ?? 'quadrant',
    unit,
  }
  const { centerDegrees } = clause
  const fromCenter = centerDegrees === undefined ? undefined : centerDegrees + (turn === 'left' ? 90 : -90)
  const entryDegrees = clause.tangentDegrees ?? fromCenter
  if (!chordDirection && entryDegrees !== undefined)
    call.chordAzimuthDegrees = normalizeAzimuth(entryDegrees + halfTurnDegrees(call))
  const hasTangent = !clause.isNonTangent && exitDegrees !== null
  if (call.chordAzimuthDegrees === null && !hasTangent) return 'The curve needs a chord bearing.'
  return { call, note: contradictionOf(call, clause) }
}

const noRadius = 'The curve has no radius.'

function turnOfConcave(clause: Clause, exitDegrees: number | null): CurveCall['turn'] | undefined {
  const along =
    clause.chordDirection?.azimuthDegrees ?? clause.tangentDegrees ?? clause.vagueDegrees ?? exitDegrees
  if (clause.concaveDegrees === undefined || along === null) return undefined
  return Math.sin(radians(clause.concaveDegrees - along)) > 0 ? 'right' : 'left'
}

function contradictionOf(call: Call, { arc, chord }: Clause): string | null {
  const isContradicted = (stated: Length | undefined, meters: number) =>
    stated !== undefined && Math.abs(stated.meters - meters) > 0.03 + meters * 0.005
  if (isContradicted(arc, callLengthMeters(call)))
    return 'The arc length contradicts the radius and the central angle.'
  if (isContradicted(chord, chordMeters(call))) return 'The chord contradicts the radius and the arc.'
  return null
}
