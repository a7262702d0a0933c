import fc from 'fast-check'
import geographicLib from 'geographiclib-geodesic'
import { describe, expect, it } from 'vitest'
import { areaSquareMeters } from '../geometry/measure-acres.ts'
import { distanceMeters } from '../geometry/measure-path.ts'
import { type Call, formatCall } from './call.ts'
import { readDeed } from './read-deed.ts'
import { adjustByCompassRule, callBetween, callToStart, closeLastCall, drawTraverse } from './traverse.ts'

const callsIn = (text: string) => readDeed(text).calls.map(({ call }) => call)
const start: [number, number] = [-82.5, 38.1]

/** https://github.com/mpetroff/qgsazimuth/issues/21 */
const appalachia = `SP 1700730.890 323927.150
EP 1696879.220 333721.210
DD N45-00-00W 2590.5
DD S47-00-00W 2277
DD S45-00-00E 2590.5
DD N47-00-00E 2277`

it('closes the example of qgsazimuth issue 21, a parallelogram of 135.33 acres', () => {
  const deed = readDeed(appalachia)
  expect(deed.unread).toEqual([])
  const { closure, areaSquareMeters, perimeterMeters, corners, ends } = drawTraverse(
    callsIn(appalachia),
    start,
  )
  expect(closure.errorMeters).toBeLessThan(1e-9)
  expect(closure.precision).toBeNull()
  expect(perimeterMeters).toBeCloseTo(2967.228, 6)
  expect(areaSquareMeters).toBeCloseTo(547_661.1216, 3)
  expect(ends).toEqual([1, 2, 3, 4])
  expect(corners[4]).toEqual(corners[0])
  // 2,590.5 feet to the northwest.
  expect(distanceMeters(start, corners[1] as number[])).toBeCloseTo(789.5844, 3)
})

describe('computed by hand', () => {
  it('a rectangle of 300 by 200 feet', () => {
    const calls = callsIn('N 30 E 300 feet; S 60 E 200 feet; S 30 W 300 feet; N 60 W 200 feet')
    const { closure, areaSquareMeters, perimeterMeters } = drawTraverse(calls, start)
    expect(closure.errorMeters).toBeLessThan(1e-9)
    expect(areaSquareMeters).toBeCloseTo(5574.1824, 6)
    expect(perimeterMeters).toBeCloseTo(304.8, 9)
  })

  it('a square of 100 feet with a half circle at its north side', () => {
    const calls = callsIn(
      `N 0 E 100 feet; tangent curve to the right, radius 50 feet, delta 180°; S 0 E 100 feet; N 90 W 100 feet`,
    )
    const { closure, areaSquareMeters, perimeterMeters } = drawTraverse(calls, start)
    expect(closure.errorMeters).toBeLessThan(1e-9)
    expect(areaSquareMeters).toBeCloseTo(1293.859785, 5)
    expect(perimeterMeters).toBeCloseTo(139.317872, 5)
  })

  it('the same with two quarters of a circle', () => {
    const quarter = 'tangent curve to the right, radius 50 feet, delta 90°; '
    const calls = callsIn(`N 0 E 100 feet; ${quarter}${quarter}S 0 E 100 feet; N 90 W 100 feet`)
    const { closure, areaSquareMeters } = drawTraverse(calls, start)
    expect(closure.errorMeters).toBeLessThan(1e-9)
    expect(areaSquareMeters).toBeCloseTo(1293.859785, 5)
  })

  it('a square of 100 feet with a rounded corner, counterclockwise', () => {
    const calls = callsIn(
      `East 100 feet; N 0 E 80 feet; tangent curve to the left, radius 20 feet, delta 90°; West 80 feet; South 100 feet`,
    )
    const { closure, areaSquareMeters } = drawTraverse(calls, start)
    expect(closure.errorMeters).toBeLessThan(1e-9)
    expect(areaSquareMeters).toBeCloseTo(921.055535, 5)
  })

  it('a curve around a corner that is cut out', () => {
    const calls = callsIn(
      `N 0 E 100 feet; East 80 feet; curve to the left, radius 20 feet, delta 90°, chord bearing S 45 E; S 0 E 80 feet; West 100 feet`,
    )
    const { closure, areaSquareMeters } = drawTraverse(calls, start)
    expect(closure.errorMeters).toBeLessThan(1e-9)
    // 10,000 - 100 pi square feet.
    expect(areaSquareMeters).toBeCloseTo(899.844049, 5)
  })
})

const open = callsIn('N 0 E 400 m; East 300 m; S 0 E 400 m; West 297 m')

it('measures the closing error', () => {
  const { closure, perimeterMeters } = drawTraverse(open, start)
  expect(perimeterMeters).toBe(1397)
  expect(closure.errorMeters).toBeCloseTo(3, 9)
  expect(closure.precision).toBeCloseTo(465.667, 3)
  expect(closure.azimuthDegrees).toBeCloseTo(270, 9)
})

it('adjusts by the compass rule in proportion to the lengths', () => {
  const adjusted = adjustByCompassRule(open)
  expect(drawTraverse(adjusted, start).closure.errorMeters).toBeLessThan(1e-9)
  // 3 m * 400 / 1397 = 0.858984 m to the west; 3 m * 300 / 1397 = 0.644238 m shorter.
  expect(
    adjusted.map((call) => call.kind === 'straight' && [call.azimuthDegrees, call.lengthMeters]),
  ).toEqual([
    [expect.closeTo(359.876959, 5), expect.closeTo(400.000922, 5)],
    [90, expect.closeTo(299.355762, 5)],
    [expect.closeTo(180.123041, 5), expect.closeTo(400.000922, 5)],
    [270, expect.closeTo(297.637795, 5)],
  ])
})

it('closes with the last call', () => {
  expect(closeLastCall(open)).toEqual([
    ...open.slice(0, -1),
    expect.objectContaining({ lengthMeters: expect.closeTo(300, 9), azimuthDegrees: expect.closeTo(270, 9) }),
  ])
  expect(closeLastCall([])).toEqual([])
  expect(closeLastCall(open.slice(0, 1))).toEqual(open.slice(0, 1))
})

const anyCall: fc.Arbitrary<Call> = fc.oneof(
  fc.record({
    kind: fc.constant('straight' as const),
    azimuthDegrees: fc.double({ min: 0, max: 359.9, noNaN: true }),
    form: fc.constant('quadrant' as const),
    lengthMeters: fc.double({ min: 1, max: 1_000, noNaN: true }),
    unit: fc.constant('ft' as const),
  }),
  fc.record({
    kind: fc.constant('curve' as const),
    turn: fc.constantFrom('left' as const, 'right' as const),
    radiusMeters: fc.double({ min: 1, max: 1_000, noNaN: true }),
    deltaDegrees: fc.double({ min: 1, max: 300, noNaN: true }),
    chordAzimuthDegrees: fc.option(fc.double({ min: 0, max: 359.9, noNaN: true })),
    given: fc.constant('arc' as const),
    form: fc.constant('quadrant' as const),
    unit: fc.constant('ft' as const),
  }),
)

it('closes calls that enclose nothing', () => {
  const twice = callsIn('N 0 E 400 m; N 0 E 400 m')
  for (const closed of [adjustByCompassRule(twice), closeLastCall(twice)])
    expect(drawTraverse(closed, start).closure.errorMeters).toBeLessThan(1e-9)
})

it('closes any calls', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 2, maxLength: 12 }), (calls) => {
      for (const closed of [adjustByCompassRule(calls), closeLastCall(calls)])
        expect(drawTraverse(closed, start).closure.errorMeters).toBeLessThan(1e-6)
    }),
  )
})

it('turns every direction by the rotation', () => {
  const [from = [], to = []] = drawTraverse(callsIn('N 0 E 1000 m'), start, 12.5).corners
  const { azi1 } = geographicLib.Geodesic.WGS84.Inverse(from[1] ?? 0, from[0] ?? 0, to[1] ?? 0, to[0] ?? 0)
  expect(azi1).toBeCloseTo(12.5, 5)
})

it.each([0, 42, 65, -75])(
  'keeps distances to 1 mm and the area to 1 in a million in a lot of 5 km at latitude %i',
  (lat) => {
    const calls = callsIn('N 20 E 5000 m; S 70 E 5000 m; S 20 W 5000 m; N 70 W 5000 m')
    const { corners, areaSquareMeters: area } = drawTraverse(calls, [10, lat])
    for (const [index, corner] of corners.slice(1).entries())
      expect(Math.abs(distanceMeters(corners[index] as number[], corner) - 5000)).toBeLessThan(0.001)
    expect(Math.abs(areaSquareMeters(corners) / area - 1)).toBeLessThan(1e-6)
  },
)

it('continues across the antimeridian', () => {
  const [, [lng = 0] = []] = drawTraverse(callsIn('East 1000 m'), [179.999, 10]).corners
  expect(lng).toBeGreaterThan(180)
})

it('draws curves to 1 cm', () => {
  const calls = callsIn(`N 0 E 1 m; tangent curve to the right, radius 300 m, delta 200°; N 1 E 1 m`)
  const { corners, ends } = drawTraverse(calls, start)
  const [, curveStart = [], ...points] = corners.slice(0, (ends[1] ?? 0) + 1)
  // The center is 300 m east of the start of the curve, to a fraction of a millimeter.
  const { lat2 = 0, lon2 = 0 } = geographicLib.Geodesic.WGS84.Direct(
    curveStart[1] ?? 0,
    curveStart[0] ?? 0,
    90,
    300,
  )
  let previous = curveStart
  for (const point of points) {
    expect(distanceMeters([lon2, lat2], point)).toBeCloseTo(300, 2)
    const middle = [((previous[0] ?? 0) + point[0]) / 2, ((previous[1] ?? 0) + point[1]) / 2]
    const depth = 300 - distanceMeters([lon2, lat2], middle)
    expect(depth).toBeGreaterThan(0.005)
    expect(depth).toBeLessThan(0.0105)
    previous = point
  }
})

it('bounds the corners of large and of many curves', () => {
  const circle = 'tangent curve to the right, radius 900000 m, delta 300°; '
  expect(drawTraverse(callsIn(`N 0 E 1 m; ${circle}`), start).corners).toHaveLength(2_002)
  expect(drawTraverse(callsIn(`N 0 E 1 m; ${circle.repeat(800)}`), start).corners.length).toBeLessThan(21_000)
})

it('draws no calls as the start', () => {
  expect(drawTraverse([], start)).toEqual({
    corners: [start],
    ends: [],
    perimeterMeters: 0,
    areaSquareMeters: 0,
    closure: { errorMeters: 0, precision: null, azimuthDegrees: expect.any(Number) },
  })
})

it('measures the call between two positions', () => {
  const start: [number, number] = [-71.1, 42.37]
  const call = {
    kind: 'straight',
    azimuthDegrees: 237.25,
    form: 'quadrant',
    lengthMeters: 123.456,
    unit: 'ft',
  } as const
  const end = drawTraverse([call], start).corners.at(-1)
  const measured = callBetween(start, end as [number, number], 'ft')
  expect(measured.azimuthDegrees).toBeCloseTo(237.25, 9)
  expect(measured.lengthMeters).toBeCloseTo(123.456, 2)
})

it('closes a lot by a line from the end of the last call', () => {
  const calls = callsIn('thence North 30 ft; thence East 40 ft')
  const last = callToStart(calls)
  expect(formatCall(last)).toBe(`S 53°07'48" W 50.00 ft`)
  expect(drawTraverse([...calls, last], start).closure.errorMeters).toBeLessThan(0.005)
})
