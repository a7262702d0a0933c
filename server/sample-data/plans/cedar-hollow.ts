import type { SamplePlan } from './sample-plan.ts'

export const cedarHollow: SamplePlan = {
  id: 'cedar-hollow',
  name: 'Cedar Hollow Property Owners',
  location: 'Mountain View, Arkansas',
  center: { lat: 35.912, lng: -92.165 },
  parcelNaming: 'Lot',
  hasThumbnail: true,
  land: {
    outline: [
      [-700, -560],
      [-180, -600],
      [-160, -500],
      [340, -520],
      [560, -360],
      [640, 60],
      [480, 140],
      [500, 520],
      [60, 600],
      [-340, 560],
      [-360, 360],
      [-740, 300],
      [-660, -140],
    ],
    roads: [
      {
        name: 'Hollow Rd',
        through: [
          [-840, -260],
          [-520, -200],
          [-260, -40],
          [60, -60],
          [340, 40],
          [780, -40],
        ],
      },
      {
        name: 'Dogwood Ln',
        through: [
          [-260, -40],
          [-200, 220],
          [-40, 400],
          [-80, 720],
        ],
      },
      {
        name: 'Mill Spring Rd',
        through: [
          [100, -50],
          [80, -280],
          [160, -680],
        ],
      },
      {
        name: 'Sassafras Ct',
        through: [
          [-460, -170],
          [-480, 40],
          [-440, 160],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Limestone Loop',
        through: [
          [-180, 240],
          [120, 220],
          [330, 220],
          [360, 50],
        ],
      },
      {
        name: 'Whippoorwill Ct',
        through: [
          [-300, -80],
          [-340, -280],
          [-320, -400],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-900, 200],
      [-560, 240],
      [-300, 130],
      [-100, 100],
      [200, 140],
      [420, 90],
      [800, 200],
    ],
    lotAcres: 4.6,
    cornerLots: 4,
  },
  words: {
    creek: 'Lick Branch',
    rise: 'Cedar Bald',
    pond: 'Millstone Pond',
    park: 'Dogwood Park',
    trees: ['a white oak', 'an eastern redcedar', 'a shortleaf pine', 'a hickory'],
    storm: 'a line of thunderstorms',
    wildlife: ['feral hogs', 'a black bear', 'a bobcat'],
    grass: 'broom sedge',
  },
}
