import type { SamplePlan } from './sample-plan.ts'

export const huckleberryFlats: SamplePlan = {
  id: 'huckleberry-flats',
  name: 'Huckleberry Flats Landowners',
  location: 'Bonners Ferry, Idaho',
  center: { lat: 48.742, lng: -116.241 },
  parcelNaming: 'Lot',
  hasThumbnail: false,
  land: {
    outline: [
      [-760, -700],
      [300, -720],
      [310, -540],
      [760, -540],
      [740, 180],
      [560, 340],
      [580, 700],
      [-260, 720],
      [-240, 520],
      [-780, 500],
    ],
    roads: [
      {
        name: 'Huckleberry Rd',
        through: [
          [-120, -860],
          [-60, -480],
          [-200, -160],
          [-60, 140],
          [100, 400],
          [60, 860],
        ],
      },
      {
        name: 'Tamarack Ln',
        through: [
          [-200, -160],
          [-460, -200],
          [-940, -140],
        ],
      },
      {
        name: 'Moose Meadow Rd',
        through: [
          [-100, 60],
          [240, 0],
          [480, -80],
          [920, -60],
        ],
      },
      {
        name: 'Larch Ct',
        through: [
          [-80, -440],
          [200, -400],
          [420, -360],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Ferncrest Ct',
        through: [
          [20, 280],
          [-240, 300],
          [-500, 300],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-900, 140],
      [-560, 60],
      [-300, 120],
      [-60, 60],
      [140, 200],
      [380, 160],
      [900, 260],
    ],
    lotAcres: 8,
    cornerLots: 2,
  },
  words: {
    creek: 'Trestle Creek South Fork',
    rise: 'Cabinet Bench',
    pond: 'Moosehead Pond',
    park: 'Tamarack Commons',
    trees: ['a western larch', 'a grand fir', 'a western redcedar', 'a leaning hemlock'],
    storm: 'a rain-on-snow storm',
    wildlife: ['a moose', 'a grizzly', 'a cougar'],
    grass: 'pinegrass',
  },
}
