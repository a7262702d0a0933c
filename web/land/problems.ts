import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import type { FoundProblem } from '#domain/land-check/land-check.schema.ts'
import type { ProblemClass } from '#domain/land-check/land-problem.ts'

/** In the order in which they should be fixed: joined corners close the gaps and overlaps between them. */
export const classFacts: Record<ProblemClass, { title: string; what: string; color: string }> = {
  'near-corners': {
    title: 'Nearly equal corners',
    what: 'Corners less than 5 cm (2 in) apart, which surveys cannot tell from each other.',
    color: '#7048e8',
  },
  'missing-corner': {
    title: 'Missing corners',
    what: 'Corners on the border of a neighbor that has no corner there.',
    color: '#1c7ed6',
  },
  spike: {
    title: 'Spikes',
    what: 'Narrow points of a border that enclose hardly any land.',
    color: '#c2255c',
  },
  'self-intersection': {
    title: 'Borders that cross themselves',
    what: 'The border of a parcel meets or crosses itself.',
    color: '#862e9c',
  },
  overlap: {
    title: 'Overlaps',
    what: 'Land that belongs to two parcels. Small overlaps can all be given to the smaller parcel at once; you decide about larger ones.',
    color: '#d92d20',
  },
  gap: {
    title: 'Gaps',
    what: 'Strips less than 1 m (3 ft) wide between parcels that belong to none.',
    color: '#e8590c',
  },
  'no-parcel': {
    title: 'Land without a parcel',
    what: 'Land that parcels surround and that belongs to none, such as a street, a pond, or a missing lot. You decide about each.',
    color: '#5c940d',
  },
}

export const problemClassNames = Object.keys(classFacts) as ProblemClass[]

/** About 1,000 sq ft. */
const maxDecidedSquareMeters = 100

export const isFixedWithAll = ({ class: name, size, isCurrent }: FoundProblem) =>
  isCurrent && name !== 'no-parcel' && (name !== 'overlap' || size <= maxDecidedSquareMeters)

export const boundsOf = ([west = 0, south = 0, east = 0, north = 0]: FoundProblem['box']): Bounds => ({
  west,
  south,
  east,
  north,
})

/** `box` is west, south, east, north. */
export const middleOf = ([west = 0, south = 0, east = 0, north = 0]: FoundProblem['box']): LatLng => ({
  lng: (west + east) / 2,
  lat: (south + north) / 2,
})

/** Whether the place is the middle of one of the problems. */
export const isOfProblem = (problems: readonly FoundProblem[], { lng, lat }: LatLng): boolean =>
  problems.some(({ box }) => {
    const middle = middleOf(box)
    return Math.hypot(middle.lng - lng, middle.lat - lat) < 1e-9
  })
