import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Call, type CallField, callLengthMeters, editCall, formatCall, readBearing } from './call.ts'
import { type LengthUnit, lengthUnits } from './notation.ts'
import { readDeed } from './read-deed.ts'

const straight: Call = {
  kind: 'straight',
  azimuthDegrees: 135.25,
  form: 'quadrant',
  lengthMeters: 36.7284,
  unit: 'ft',
}
const curve: Call = {
  kind: 'curve',
  turn: 'left',
  radiusMeters: 76.2,
  deltaDegrees: 22.5,
  chordAzimuthDegrees: 349.75,
  given: 'arc',
  form: 'quadrant',
  unit: 'ft',
}

it('writes calls as surveyors do', () => {
  expect(formatCall(straight)).toBe(`S 44°45'00" E 120.50 ft`)
  expect(formatCall({ ...straight, form: 'azimuth', azimuthDegrees: 359.999999999 })).toBe(
    `azimuth 0°00'00" 120.50 ft`,
  )
  expect(formatCall({ ...straight, azimuthDegrees: 225.504179, unit: 'chain', lengthMeters: 85.4964 })).toBe(
    `S 45°30'15.04" W 4.25 chains`,
  )
  expect(formatCall(curve)).toBe(
    'curve to the left, radius 250.00 ft, arc 98.1748 ft, chord bearing N 10°15\'00" W',
  )
  expect(formatCall({ ...curve, given: 'delta', chordAzimuthDegrees: null })).toBe(
    `tangent curve to the left, radius 250.00 ft, delta 22°30'00"`,
  )
  // A chord does not tell which of two arcs it belongs to.
  expect(formatCall({ ...curve, given: 'chord', deltaDegrees: 200, chordAzimuthDegrees: null })).toBe(
    `tangent curve to the left, radius 250.00 ft, delta 200°00'00"`,
  )
})

const hundredthsOfSeconds = (max: number) =>
  fc.integer({ min: 0, max: max * 360_000 }).map((value) => value / 360_000)
const form = fc.constantFrom('quadrant' as const, 'azimuth' as const)
const unit = fc.constantFrom(...(Object.keys(lengthUnits) as LengthUnit[]))
const meters = fc.double({ min: 0.1, max: 100_000, noNaN: true })
const azimuthDegrees = fc.oneof(
  hundredthsOfSeconds(360).map((degrees) => degrees % 360),
  fc.constantFrom(0, 90, 180, 270),
)

const anyCall: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: fc.constant('straight' as const), azimuthDegrees, form, lengthMeters: meters, unit }),
  fc.record({
    kind: fc.constant('curve' as const),
    turn: fc.constantFrom('left' as const, 'right' as const),
    radiusMeters: meters,
    deltaDegrees: fc.double({ min: 1, max: 359, noNaN: true }),
    chordAzimuthDegrees: fc.option(azimuthDegrees),
    given: fc.constantFrom('arc' as const, 'delta' as const, 'chord' as const),
    form,
    unit,
  }),
)

it('writes text that is read as the same call', () => {
  fc.assert(
    fc.property(anyCall, (call) => {
      const text = formatCall(call)
      // A tangent curve needs a previous call.
      const { calls, unread } = readDeed(`N 0 E 1 ft; ${text}`)
      expect(unread).toEqual([])
      expect(calls.map(({ note }) => note)).toEqual([null, null])
      const copy = calls[1]?.call as Call
      expect(formatCall(copy)).toBe(text)
      const { meters: metersPerUnit } = lengthUnits[call.unit]
      const isRounded = (one: number, other: number, step: number) =>
        expect(Math.abs(one - other)).toBeLessThanOrEqual(step * 0.5000001)
      if (call.kind === 'straight') {
        if (copy.kind !== 'straight') throw new Error('a curve')
        isRounded(copy.lengthMeters, call.lengthMeters, metersPerUnit / 10_000)
        isRounded(copy.azimuthDegrees, call.azimuthDegrees, 1 / 360_000)
        expect(copy).toMatchObject({ form: call.form, unit: call.unit })
      } else {
        if (copy.kind !== 'curve') throw new Error('straight')
        isRounded(copy.radiusMeters, call.radiusMeters, metersPerUnit / 10_000)
        expect(copy.turn).toBe(call.turn)
        expect(copy.chordAzimuthDegrees).toEqual(
          call.chordAzimuthDegrees === null ? null : expect.closeTo(call.chordAzimuthDegrees, 5),
        )
        if (call.radiusMeters > 10) expect(copy.deltaDegrees > 180).toBe(call.deltaDegrees > 180)
        if (copy.given === 'arc')
          isRounded(callLengthMeters(copy), callLengthMeters(call), metersPerUnit / 10_000)
        if (copy.given === 'delta') isRounded(copy.deltaDegrees, call.deltaDegrees, 1 / 360_000)
      }
    }),
  )
})

it.each<[Call, CallField, string, string | null]>([
  [straight, 'direction', "N 1°30' W", `N 1°30'00" W 120.50 ft`],
  [straight, 'direction', '12.5', `azimuth 12°30'00" 120.50 ft`],
  [straight, 'direction', 'N 1 W 20', null],
  [straight, 'direction', '', null],
  [straight, 'length', '100', `S 44°45'00" E 100.00 ft`],
  [straight, 'length', ' 4 chains 25 links ', `S 44°45'00" E 4.25 chains`],
  [straight, 'length', '0', null],
  [straight, 'length', 'long', null],
  [straight, 'radius', '100', null],
  [
    curve,
    'direction',
    'N 1 W',
    `curve to the left, radius 250.00 ft, arc 98.1748 ft, chord bearing N 1°00'00" W`,
  ],
  [curve, 'direction', '', 'tangent curve to the left, radius 250.00 ft, arc 98.1748 ft'],
  [
    curve,
    'radius',
    '300',
    `curve to the left, radius 300.00 ft, arc 98.1748 ft, chord bearing N 10°15'00" W`,
  ],
  [curve, 'arc', '100 ft', `curve to the left, radius 250.00 ft, arc 100.00 ft, chord bearing N 10°15'00" W`],
  [curve, 'chord', '50', `curve to the left, radius 250.00 ft, chord 50.00 ft, chord bearing N 10°15'00" W`],
  [curve, 'chord', '501', null],
  [
    curve,
    'delta',
    '30°',
    `curve to the left, radius 250.00 ft, delta 30°00'00", chord bearing N 10°15'00" W`,
  ],
  [curve, 'delta', '360°', null],
  [curve, 'length', '10', null],
])('changes %o: %s to %j', (call, field, text, expected) => {
  const changed = editCall(call, field, text)
  expect(changed && formatCall(changed)).toBe(expected)
})

it.each([
  ["N 45°30' E", 45.5],
  ['s45w', 225],
  ['azimuth 135.25', 135.25],
  ['270', 270],
  ['North', 0],
  ['w', 270],
])('reads the bearing %s', (text, azimuthDegrees) => {
  expect(readBearing(text)).toMatchObject({ azimuthDegrees })
})

it.each([
  ['N 45°', 'East or west is missing.'],
  ['N 95 E', 'A quadrant bearing is at most 90 degrees.'],
  ['400', 'An azimuth is at most 360 degrees.'],
  ['', "This is not a bearing, such as N 45°30' E."],
  ['N 45 E 120 ft', "This is not a bearing, such as N 45°30' E."],
])('explains why %j is not a bearing', (text, message) => {
  expect(readBearing(text)).toEqual({ message })
})
