import {
  type Direction,
  type LengthUnit,
  lengthUnits,
  normalizeText,
  readDelta,
  readDirection,
  readLength,
} from './notation.ts'

/** A side of a lot: azimuth in degrees clockwise from the north of the deed, length on the ground. */
export type StraightCall = {
  kind: 'straight'
  azimuthDegrees: number
  /** Notation of the direction. */
  form: Direction['form']
  lengthMeters: number
  unit: LengthUnit
}

export type CurveCall = {
  kind: 'curve'
  turn: 'left' | 'right'
  radiusMeters: number
  /** Central angle, more than 0 and less than 360. */
  deltaDegrees: number
  /** Null for a tangent curve, which begins in the direction in which the previous call ends. */
  chordAzimuthDegrees: number | null
  /** The measure that is written beside the radius. */
  given: 'arc' | 'delta' | 'chord'
  form: Direction['form']
  unit: LengthUnit
}

export type Call = StraightCall | CurveCall

export const radians = (degrees: number) => (degrees * Math.PI) / 180
export const normalizeAzimuth = (degrees: number) => ((degrees % 360) + 360) % 360

/** Along the call: the arc of a curve. */
export const callLengthMeters = (call: Call) =>
  call.kind === 'straight' ? call.lengthMeters : call.radiusMeters * radians(call.deltaDegrees)

export const chordMeters = (call: Call) =>
  call.kind === 'straight'
    ? call.lengthMeters
    : 2 * call.radiusMeters * Math.sin(radians(call.deltaDegrees / 2))

/** Half of the central angle, negative for a curve to the left: from the chord to the last direction. */
export const halfTurnDegrees = (call: Call) =>
  call.kind === 'straight' ? 0 : (call.turn === 'left' ? -call.deltaDegrees : call.deltaDegrees) / 2

/** The direction from the start to the end. `entryDegrees` is that in which the previous call ends. */
export function chordAzimuthDegrees(call: Call, entryDegrees: number): number {
  if (call.kind === 'straight') return call.azimuthDegrees
  return call.chordAzimuthDegrees ?? normalizeAzimuth(entryDegrees + halfTurnDegrees(call))
}

export const exitAzimuthDegrees = (call: Call, entryDegrees: number) =>
  normalizeAzimuth(chordAzimuthDegrees(call, entryDegrees) + halfTurnDegrees(call))

/** Text that `readDeed` reads as the same call: lengths to 0.0001 of the unit, angles to 0.01 seconds. */
export function formatCall(call: Call): string {
  if (call.kind === 'straight')
    return `${formatDirection(call.azimuthDegrees, call.form)} ${formatLength(call.lengthMeters, call.unit)}`
  const isTangent = call.chordAzimuthDegrees === null
  const parts = [
    `${isTangent ? 'tangent curve' : 'curve'} to the ${call.turn}`,
    `radius ${formatLength(call.radiusMeters, call.unit)}`,
    formatGiven(call),
  ]
  if (call.chordAzimuthDegrees !== null)
    parts.push(`chord bearing ${formatDirection(call.chordAzimuthDegrees, call.form)}`)
  return parts.join(', ')
}

function formatGiven(call: CurveCall): string {
  if (call.given === 'arc') return `arc ${formatLength(callLengthMeters(call), call.unit)}`
  // A chord belongs to two arcs, and near a half circle a rounded chord says little about the angle.
  if (call.given === 'chord' && call.deltaDegrees <= 170)
    return `chord ${formatLength(chordMeters(call), call.unit)}`
  return `delta ${formatAngle(call.deltaDegrees)}`
}

export function formatDirection(direction: number, form: Direction['form']): string {
  const azimuthDegrees = (Math.round(direction * 360_000) / 360_000) % 360
  if (form === 'azimuth') return `azimuth ${formatAngle(azimuthDegrees)}`
  const isNorth = azimuthDegrees <= 90 || azimuthDegrees > 270
  const isEast = azimuthDegrees <= 180
  const fromNorth = isEast ? azimuthDegrees : 360 - azimuthDegrees
  const angle = formatAngle(isNorth ? fromNorth : 180 - fromNorth)
  return `${isNorth ? 'N' : 'S'} ${angle} ${isEast ? 'E' : 'W'}`
}

/** Whole seconds, or hundredths if they are not whole. */
export function formatAngle(degrees: number): string {
  const hundredths = Math.round(degrees * 360_000)
  const seconds = (hundredths % 6_000) / 100
  const minutes = Math.floor(hundredths / 6_000) % 60
  const decimals = Number.isInteger(seconds) ? 0 : 2
  const paddedSeconds = seconds.toFixed(decimals).padStart(decimals ? 5 : 2, '0')
  return `${Math.floor(hundredths / 360_000)}°${String(minutes).padStart(2, '0')}'${paddedSeconds}"`
}

/** At least 2 decimals. */
export function formatLength(meters: number, unit: LengthUnit): string {
  const { meters: metersPerUnit, name } = lengthUnits[unit]
  return `${(meters / metersPerUnit).toFixed(4).replace(/0{1,2}$/, '')} ${name}`
}

export type CallField = 'direction' | 'length' | 'radius' | 'arc' | 'delta' | 'chord'

/**
 * Replaces one field by the text that was typed. A length without a unit is in the unit of the call. An empty
 * direction makes a curve tangent to the previous call. Null if the text cannot be read or the call has no such
 * field.
 */
export function editCall(call: Call, field: CallField, text: string): Call | null {
  if (field === 'direction') {
    if (call.kind === 'curve' && text.trim() === '') return { ...call, chordAzimuthDegrees: null }
    const direction = readBearing(text)
    if ('message' in direction) return null
    if (call.kind === 'straight') return { ...call, ...direction }
    return { ...call, chordAzimuthDegrees: direction.azimuthDegrees, form: direction.form }
  }
  if (field === 'delta') {
    const deltaDegrees = readWhole(text, readDelta)
    return deltaDegrees !== null && call.kind === 'curve' ? { ...call, deltaDegrees, given: 'delta' } : null
  }
  const length = readWhole(text, (plain, at) => readLength(plain, at, call.unit))
  if (!length || (field === 'length') !== (call.kind === 'straight')) return null
  if (call.kind === 'straight') return { ...call, lengthMeters: length.meters, unit: length.unit }
  if (field === 'arc' || field === 'chord') return withDelta(call, field, length.meters)
  const changed = { ...call, radiusMeters: length.meters, unit: length.unit }
  if (call.given === 'delta') return changed
  return withDelta(changed, call.given, call.given === 'arc' ? callLengthMeters(call) : chordMeters(call))
}

function withDelta(call: CurveCall, given: 'arc' | 'chord', meters: number): CurveCall | null {
  const deltaDegrees = deltaOf(given, meters, call.radiusMeters)
  return deltaDegrees === null ? null : { ...call, deltaDegrees, given }
}

/** The shorter arc of a chord. Null if no arc of this radius has that measure. */
export function deltaOf(given: 'arc' | 'chord', meters: number, radiusMeters: number): number | null {
  const ratio = meters / radiusMeters
  const deltaDegrees = ((given === 'arc' ? ratio : 2 * Math.asin(ratio / 2)) * 180) / Math.PI
  return deltaDegrees > 0 && deltaDegrees < 360 ? deltaDegrees : null
}

/** Also accepts plain degrees and the four cardinal directions: 45.5, north. */
export function readBearing(text: string): Direction | { message: string } {
  for (const start of ['', 'azimuth ', 'due ']) {
    const plain = normalizeText(start + text.trim()).plain
    const result = readDirection(plain, 0)
    if (result && 'message' in result) return { message: result.message }
    if (result?.end === plain.length) return result.value
  }
  return { message: "This is not a bearing, such as N 45°30' E." }
}

function readWhole<Value>(
  text: string,
  read: (plain: string, at: number) => { value: Value; end: number } | null,
): Value | null {
  const plain = normalizeText(text.trim()).plain
  const result = read(plain, 0)
  return result?.end === plain.length ? result.value : null
}
