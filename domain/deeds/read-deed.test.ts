import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCall } from './call.ts'
import { type Deed, readDeed } from './read-deed.ts'

const callsIn = (text: string) => readDeed(text).calls.map(({ call }) => formatCall(call))
const unreadIn = (text: string) =>
  readDeed(text).unread.map(({ start, end, message }) => `${text.slice(start, end)} | ${message}`)

const bearing = `N 45°30'15" E 120.50 ft`

describe('a straight call', () => {
  it.each([
    [`thence N 45°30'15" E 120.50 feet`, bearing],
    ['North 45 degrees 30 minutes 15 seconds East, a distance of 120.5 ft', bearing],
    ['NORTH 45 DEGREES, 30 MINUTES AND 15 SECONDS EAST A DISTANCE OF 120.50 FEET TO A STAKE', bearing],
    ['N45-30-15E 120.50', bearing],
    ['N 45d 30\' 15" E, 120.50', bearing],
    ['N. 45° 30’ 15” E. 120.50’', bearing],
    ['N 45º30′15″E, 120\' 6"', bearing],
    ["N 45° 30' 15'' E 120.5 feet", bearing],
    ['N 45°\n   30\' 15"\r\n  East a distance\n of 120.50\n feet', bearing],
    ['120.5 feet on a bearing of N 45°30\'15" E to a stake', bearing],
    ["S. 12 deg. 30' W. 4 chains 25 links", `S 12°30'00" W 4.25 chains`],
    ['North seventy nine degrees East six chains and seventy-five links', `N 79°00'00" E 6.75 chains`],
    ['South Forty-five (45) degrees West, one hundred (100) feet', `S 45°00'00" W 100.00 ft`],
    ['South 5 degrees West two hundred and thirty-five feet', `S 5°00'00" W 235.00 ft`],
    [
      'S 5 W One Thousand Three Hundred Thirty One and Five Tenths (1,331.50) feet',
      `S 5°00'00" W 1331.50 ft`,
    ],
    ['S 5 1/2°. W 5 poles + 6 links', `S 5°30'00" W 5.24 poles`],
    ['N 7½° W 2 perches', `N 7°30'00" W 2.00 perches`],
    ['N 15 E 8 50/100 chains', `N 15°00'00" E 8.50 chains`],
    ['N 10 W to a stone 3 feet from the road, 200 feet', `N 10°00'00" W 200.00 ft`],
    ['N 10 W passing an iron pin at 50 feet, 250 feet to a stone', `N 10°00'00" W 250.00 ft`],
    ['N 10 W 50 feet to a pin, a total distance of 250 feet', `N 10°00'00" W 250.00 ft`],
    ['due north 10 rods', `N 0°00'00" E 10.00 rods`],
    ['thence West 1,320.00 feet', `S 90°00'00" W 1320.00 ft`],
    ['thence South along the road, 20 rods', `S 0°00'00" E 20.00 rods`],
    ['N 10 W 30.5 m', `N 10°00'00" W 30.50 m`],
    ['azimuth 135.25° 30.5 m', `azimuth 135°15'00" 30.50 m`],
    ['135.25° 30.5 m', `azimuth 135°15'00" 30.50 m`],
    ['N 10 W 100 U.S. survey feet', `N 10°00'00" W 100.00 US survey ft`],
    ['N 10 W 100 feet. All distances are US Survey Feet.', `N 10°00'00" W 100.00 US survey ft`],
    ['N 10 W along the 60-foot road 200 feet', `N 10°00'00" W 200.00 ft`],
    ['N 10 W passing an iron pin at 50 feet, in all 250 feet', `N 10°00'00" W 250.00 ft`],
    ['N 10 W .5 chains', `N 10°00'00" W 0.50 chains`],
  ])('is read from %s', (text, expected) => {
    expect(callsIn(text)).toEqual([expected])
    expect(unreadIn(text)).toEqual([])
  })

  it('is in the unit of the previous one if it has none', () => {
    expect(callsIn('N 1 E 30 m\nN 2 E 40')[1]).toBe(`N 2°00'00" E 40.00 m`)
  })

  it('of feet is international unless survey feet are stated', () => {
    const metersIn = (text: string) =>
      readDeed(text).calls.map(({ call }) => 'lengthMeters' in call && call.lengthMeters)
    expect(metersIn('N 1 E 3937 feet')[0]).toBeCloseTo(1199.9976, 9)
    expect(metersIn('N 1 E 3937 US survey feet')[0]).toBeCloseTo(1200, 9)
  })
})

describe('a curve', () => {
  it.each([
    [
      `thence along a curve to the left having a radius of 250.00 feet, an arc length of 98.17 feet, (a central angle of 22°30'00"), chord bearing N 10° 15' E, chord distance 97.54 feet`,
      [`curve to the left, radius 250.00 ft, delta 22°30'00", chord bearing N 10°15'00" E`],
    ],
    [
      'N 0 E 100 feet; thence with the arc of a curve to the right, radius 50 feet, arc 78.54 feet',
      [`N 0°00'00" E 100.00 ft`, 'tangent curve to the right, radius 50.00 ft, arc 78.54 ft'],
    ],
    [
      `N 0 E 100; curve right R=25.00', L=39.27', Δ=90°00'00"; East 20 feet`,
      [
        `N 0°00'00" E 100.00 ft`,
        `tangent curve to the right, radius 25.00 ft, delta 90°00'00"`,
        `N 90°00'00" E 20.00 ft`,
      ],
    ],
    [
      `N 0°10' W 90.00 feet to the beginning of a tangent curve, concave easterly, having a radius of 50.00 feet; thence northerly along said curve through a central angle of 90°00'00", an arc distance of 78.54 feet to the beginning of a reverse curve to the left having a radius of 40.00 feet; thence along said curve 30.00 feet`,
      [
        `N 0°10'00" W 90.00 ft`,
        `tangent curve to the right, radius 50.00 ft, delta 90°00'00"`,
        'tangent curve to the left, radius 40.00 ft, arc 30.00 ft',
      ],
    ],
    [
      `N 90 E 90 feet to a non-tangent curve to the left of radius 100 feet, a radial line to said point bears S 10°00' E; thence along said curve through a central angle of 10°00'00" to a point`,
      [
        `N 90°00'00" E 90.00 ft`,
        `curve to the left, radius 100.00 ft, delta 10°00'00", chord bearing N 75°00'00" E`,
      ],
    ],
    [
      `Thence along said line, to a point on a non-tangent curve concave Northerly having a radius of 1600 feet, a radial to said point bears South 5° East; thence westerly along said curve through a central angle of 5°00'00"; N 1 E 5 feet`,
      [
        `curve to the right, radius 1600.00 ft, delta 5°00'00", chord bearing S 87°30'00" W`,
        `N 1°00'00" E 5.00 ft`,
      ],
    ],
    [
      `N 5 E 9 feet; C1 R=50.00' L=78.54' CB=N55°00'00"E CH=70.71' right; S 0°0'0" E 5'`,
      [
        `N 5°00'00" E 9.00 ft`,
        `curve to the right, radius 50.00 ft, arc 78.54 ft, chord bearing N 55°00'00" E`,
        `S 0°00'00" E 5.00 ft`,
      ],
    ],
    [
      'a curve to the right whose chord bears S 45 W 100.00 feet, with a delta of 60°00\'00"',
      [`curve to the right, radius 100.00 ft, delta 60°00'00", chord bearing S 45°00'00" W`],
    ],
  ])('is read from %s', (text, expected) => {
    expect(callsIn(text)).toEqual(expected)
    expect(unreadIn(text)).toEqual([])
  })

  it.each([
    'N 1 E 10 feet to a non-tangent curve to the left, radius 50 feet, arc 10 feet',
    'N 1 E 10 feet; nontangent curve to the left, radius 50 feet, arc 10 feet',
    'N 1 E 10 feet to a curve to the left, which is not tangent, radius 50 feet, arc 10 feet',
  ])('that is not tangent needs a chord bearing: %s', (text) => {
    expect(readDeed(text).unread.map(({ message }) => message)).toEqual(['The curve needs a chord bearing.'])
    expect(callsIn(`${text}, chord bearing N 2 W`)).toHaveLength(2)
  })

  it('begins where the list of calls names the next one', () => {
    const curve = (radius: number) => `tangent curve to the right, radius ${radius}.00 ft, arc 9.00 ft`
    const list = [`N 1°00'00" E 9.00 ft`, curve(10), curve(20), `N 2°00'00" E 9.00 ft`, curve(30)]
    expect(callsIn(list.join('\n'))).toEqual(list)
    expect(callsIn(list.join('; '))).toEqual(list)
    expect(callsIn(`N 1 E 9; C1 R=10.00' L=9.00' right C2 R=20.00' L=9.00' right`)).toEqual(list.slice(0, 3))
  })

  it('whose measures contradict each other has a note', () => {
    const [call] = readDeed(
      'curve to the left, radius 62.23 feet, chord N 73 W 43.42 feet, arc 55.50 feet',
    ).calls
    expect(call?.note).toBe('The chord contradicts the radius and the arc.')
    expect(
      readDeed('curve left, radius 100 ft, arc 98.17 ft, chord N 1 W 94.28 ft').calls[0]?.note,
    ).toBeNull()
  })
})

describe('a passage that cannot be read', () => {
  it.each([
    ['thence along the creek to a stone;', 'No bearing and no distance found.'],
    ['thence northeasterly 200 feet;', 'The direction is approximate. Type a bearing.'],
    ['thence along the North line of Lot 3 200 feet;', 'No bearing found.'],
    ['thence north [91?] East 80 poles;', 'No bearing found.'],
    ['thence N 45 E to a stone;', 'No distance found.'],
    ['thence 13 rods along the wall of the old road N 45 E to a stone;', 'No distance found.'],
    ['thence N 45 E eight and one-half chains;', 'No distance found.'],
    ['thence N 45 E 100 varas to a stone 3 feet high;', "The unit 'varas' is not supported."],
    ["thence N 45°99' E 100 feet;", 'Minutes and seconds must be less than 60.'],
    ['thence N 95° E 100 feet;', 'A quadrant bearing is at most 90 degrees.'],
    ['thence N 45° 100 feet;', 'East or west is missing.'],
    ['thence 27 degrees 35 minutes west 133.87 feet;', 'North or south is missing.'],
    [
      "thence deflecting left 22°19' 100 feet;",
      'Angles from the previous line are not supported. Type a bearing.',
    ],
    ['thence along a spiral curve 50 feet;', 'Spiral curves are not supported.'],
    ['thence along a curve 50 feet;', 'The curve has no radius.'],
    ['thence along a curve, radius 50 feet, arc 10 feet;', 'The curve needs a direction: left or right.'],
    [
      'thence along a curve to the left, radius 50 feet, arc 9 feet and a curve to the right, radius 40 feet, arc 9 feet;',
      'Two radii in one call. Write "thence" between the curves.',
    ],
    [
      'thence along a curve to the left, radius 50 feet;',
      'The curve needs an arc length, a central angle or a chord.',
    ],
    [
      'thence along a curve to the left, radius 50 feet, chord 101 feet;',
      'The arc or chord is too long for the radius.',
    ],
    ['thence along a curve to the left, radius 50 feet, arc 10 feet;', 'The curve needs a chord bearing.'],
  ])('%s', (passage, message) => {
    const text = `${passage} thence South 10 feet`
    expect(unreadIn(text).map((found) => found.replace(/;? \|/, ' |'))).toEqual([
      `${passage.slice(0, -1)} | ${message}`,
    ])
    expect(callsIn(text)).toEqual([`S 0°00'00" E 10.00 ft`])
  })

  it('is reported between calls that are separated by semicolons', () => {
    expect(unreadIn('N 1 E 10 feet to a creek; along the creek to a stone; N 2 E 10 feet')).toEqual([
      'along the creek to a stone; | No bearing and no distance found.',
    ])
    const curve = 'N 1 E 10 feet; curve left, radius 50 feet, arc 10 feet'
    expect(unreadIn(`${curve}; along the creek to a stone; S 2 W 10 feet`)).toHaveLength(1)
    expect(callsIn(`${curve}, chord bearing N 5 W; S 2 W 10 feet`)).toHaveLength(3)
  })

  it('is the direction to a monument', () => {
    expect(
      unreadIn('N 1 E 10 feet to a pin, from which an oak bears N 45° E 12.00 feet; thence N 2 E 10 feet'),
    ).toEqual(['N 45° E | Leads to a monument, not along the lot.'])
  })
})

const fleming = `BEGINNING AT A STAKE IN THE SOUTH SIDE OF FLEMING DRIVE 511.4 FEET IN A WESTERLY DIRECTION FROM THE WEST SIDE
OF OAK DRIVE AND RUNNING THENCE ALONG AND WITH THE SOUTH SIDE OF FLEMING DRIVE NORTH 76° 52' WEST 130 FEET TO A STAKE;
THENCE SOUTH 13° 08' WEST 175 FEET TO A STAKE; THENCE SOUTH 76° 52' EAST 120.2 FEET TO A STAKE; THENCE IN AN EASTERLY
DIRECTION WITH THE ARC OF A COUNTERCLOCKWISE CURVE HAVING A RADIUS OF 916.78 FEET, AN ARC DISTANCE OF 9.8 FEET TO A
STAKE; THENCE NORTH 13° 08' EAST 175 FEET TO A STAKE, THE POINT AND PLACE OF BEGINNING, AND BEING ALL OF LOT 29`

describe('a real description', () => {
  it('of a lot in Durham, North Carolina', () => {
    const deed = readDeed(fleming)
    expect(deed.calls.map(({ start, end }) => fleming.slice(start, end))).toEqual([
      "NORTH 76° 52' WEST 130 FEET",
      "SOUTH 13° 08' WEST 175 FEET",
      "SOUTH 76° 52' EAST 120.2 FEET",
      'ARC OF A COUNTERCLOCKWISE CURVE HAVING A RADIUS OF 916.78 FEET, AN ARC DISTANCE OF 9.8 FEET',
      "NORTH 13° 08' EAST 175 FEET",
    ])
    expect(callsIn(fleming)[3]).toBe('tangent curve to the left, radius 916.78 ft, arc 9.80 ft')
    expect(fleming.slice(deed.closing?.start, deed.closing?.end)).toBe('THE POINT AND PLACE OF BEGINNING')
    expect(deed.unread).toEqual([])
  })

  it('of a lot with a line break at each space', () => {
    expect(callsIn(fleming.replace(/\s+/g, '\r\n  '))).toEqual(callsIn(fleming))
    expect(readDeed(fleming.replaceAll(' ', '\n')).closing).not.toBeNull()
  })

  it('of 1845 in poles and links', () => {
    const text = `beginning at a corner stone near a large locust tree in front of the House at A thence S 5 1/2°. W 5 poles + 6 links to a corner stone at B thence N. 85°. W 5 poles + 10 links to a stone at .C. thence N. 71°. W. 2 poles to a corner stone between the said Lot and H.W. Machen at .D. thence along the said Machen's line N 7°.E.9. poles and 9 links to another corner stone on the said Machen's lot at E thence .S.52°. E. 8 poles and 11 links to the beginning.`
    expect(callsIn(text)).toEqual([
      `S 5°30'00" W 5.24 poles`,
      `N 85°00'00" W 5.40 poles`,
      `N 71°00'00" W 2.00 poles`,
      `N 7°00'00" E 9.36 poles`,
      `S 52°00'00" E 8.44 poles`,
    ])
    expect(unreadIn(text)).toEqual([])
  })

  it('of 1871 in cardinal directions', () => {
    const text =
      'Beginning on a stake 20 poles North of Sheppard Landnums SW Corner of reserve entry no. 25,35 runs west 160 poles to a stake, white and red oak pointers, then north 200 poles to a black oak. Then east 160 poles to a stake. Then south 200 poles to the beginning: To have and to hold'
    expect(callsIn(text)).toEqual([
      `S 90°00'00" W 160.00 poles`,
      `N 0°00'00" E 200.00 poles`,
      `N 90°00'00" E 160.00 poles`,
      `S 0°00'00" E 200.00 poles`,
    ])
    expect(unreadIn(text)).toEqual([])
  })

  it('of a county in Utah, with ties', () => {
    const text = `COM E 2004.76 FT & N 1798.17 FT FR S 1/4 COR. SEC. 23, T9S, R2E, SLB&M.; ALONG A CURVE TO L (CHORD BEARS: N 28 DEG 0' 55" W 437 FT, RADIUS = 1757.79 FT); S 70 DEG 15' 0" W 68.56 FT; ALONG A CURVE TO R (CHORD BEARS: S 28 DEG 21' 37" E 436.52 FT, RADIUS = 1691.79 FT); N 71 DEG 0' 0" E 66.04 FT TO BEG. AREA 0.853 AC.`
    expect(callsIn(text)).toEqual([
      `N 90°00'00" E 2004.76 ft`,
      `N 0°00'00" E 1798.17 ft`,
      `curve to the left, radius 1757.79 ft, chord 437.00 ft, chord bearing N 28°00'55" W`,
      `S 70°15'00" W 68.56 ft`,
      `curve to the right, radius 1691.79 ft, chord 436.52 ft, chord bearing S 28°21'37" E`,
      `N 71°00'00" E 66.04 ft`,
    ])
    expect(readDeed(text).calls.map(({ isTie }) => isTie)).toEqual([true, true, false, false, false, false])
    expect(unreadIn(text)).toEqual([])
  })
})

describe('the point of beginning', () => {
  const lot =
    'thence N 1 E 10 feet; thence S 60 E 10 feet; thence S 60 W 10 feet to the true point of beginning'

  it('separates the calls from the point of commencement', () => {
    const { calls, closing } = readDeed(
      `Commencing at a rod; thence N 5 E 50 feet to the point of beginning; ${lot}.`,
    )
    expect(calls.map(({ isTie }) => isTie)).toEqual([true, false, false, false])
    expect(closing).not.toBeNull()
    expect(readDeed(`Commencing at a rod; ${lot}.`).calls.some(({ isTie }) => isTie)).toBe(false)
  })

  it('ends the lot: another description is reported', () => {
    const text = `${lot}. Less and except: thence N 2 E 9 feet; thence S 2 W 9 feet.`
    expect(callsIn(text)).toHaveLength(3)
    expect(unreadIn(text)).toEqual([
      'N 2 E 9 feet; thence S 2 W 9 feet | Belongs to another description. Read it separately.',
    ])
  })

  it('is not reached by a distance from it', () => {
    const { calls, closing } = readDeed(
      'N 1 E 10 feet to a rod, 5 feet from the point of beginning; S 2 W 10 feet',
    )
    expect(closing).toBeNull()
    expect(calls).toHaveLength(2)
  })

  it('is not that of a curve', () => {
    expect(readDeed('N 1 E 10 feet to the point of beginning of a curve').closing).toBeNull()
  })
})

it('reads the first 50,000 characters', () => {
  const line = 'N 1 E 10 ft\n'
  const { calls, unread } = readDeed(line.repeat(5_000))
  expect(calls).toHaveLength(4_167)
  expect(unread.at(-1)).toEqual({
    start: 50_000,
    end: 60_000,
    message: 'Only the first 50,000 characters are read.',
  })
})

it.each([
  ...['n', '1', '.', ' ', '0', "'", ';', '(1', '1,111', '1.', 'N 4'],
  ...[
    'north 1 ',
    `N 45°30'15" `,
    'curve radius ',
    'thence ',
    'to the point of ',
    'seventy ',
    'beginning of a ',
  ],
  ...[
    'passing at 1 ft ',
    'two hundred and ',
    'thence curve ',
    'U.S. survey ',
    'N 1 E 1\n',
    '1 (',
    '1 1/2',
    'non-',
    'then north ',
    'bears N 1 E 1 ',
  ],
])('reads %j in linear time', (part) => {
  const text = `N 4${part.repeat(50_000 / part.length)}`
  const start = performance.now()
  readDeed(text)
  expect(performance.now() - start).toBeLessThan(1_500)
})

it('finds spans in order and without overlap in any text', () => {
  const part = fc.constantFrom(
    ...[
      'thence ',
      'N 45 E ',
      '100 feet',
      '; ',
      'curve ',
      'to the left ',
      'radius ',
      'arc ',
      'chord ',
      "12°30'",
    ],
    ...[
      'point of beginning ',
      'commencing ',
      'from ',
      'bears ',
      'N 95° E ',
      'seventy ',
      '\n',
      "''",
      '½',
      'creek ',
    ],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const { calls, unread }: Deed = readDeed(text)
      for (const spans of [calls, unread])
        for (const [index, { start, end }] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
        }
    }),
  )
})

describe('a line to the point of beginning', () => {
  const sides = 'thence N 45 E 200 ft; thence S 45 E 150 ft; '
  it.each([
    'thence to the point of beginning',
    'thence back to the place of beginning',
    'THENCE, in a straight line to P.O.B.',
  ])('closes the lot: %s', (end) => {
    const deed = readDeed(`Beginning at a stake; ${sides}${end}.`)
    expect(deed.unread).toEqual([])
    expect(deed).toMatchObject({ calls: { length: 2 }, isClosedByLine: true })
  })

  it.each([
    `${sides}thence along the creek to the point of beginning`,
    `${sides}thence West 212 ft to the point of beginning`,
    sides,
  ])('is not assumed: %s', (text) => {
    expect(readDeed(text).isClosedByLine).toBe(false)
  })
})
