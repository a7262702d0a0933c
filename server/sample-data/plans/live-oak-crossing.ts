import type { SamplePlan } from './sample-plan.ts'

export const liveOakCrossing: SamplePlan = {
  id: 'live-oak-crossing',
  name: 'Live Oak Crossing POA',
  location: 'Llano, Texas',
  center: { lat: 30.702, lng: -98.574 },
  parcelNaming: 'Lot',
  hasThumbnail: true,
  land: {
    outline: [
      [-860, -520],
      [-300, -680],
      [420, -660],
      [860, -460],
      [840, -40],
      [960, 220],
      [640, 560],
      [180, 540],
      [140, 680],
      [-560, 640],
      [-900, 240],
    ],
    roads: [
      {
        name: 'Crossing Dr',
        through: [
          [-980, -300],
          [-540, -240],
          [-180, -300],
          [220, -180],
          [560, -240],
          [1040, -180],
        ],
      },
      {
        name: 'Granite Loop',
        through: [
          [-520, -240],
          [-560, 100],
          [-320, 340],
          [80, 320],
          [340, 120],
          [300, -190],
        ],
      },
      {
        name: 'Bluebonnet Ln',
        through: [
          [-320, 340],
          [-360, 520],
          [-340, 800],
        ],
      },
      {
        name: 'Mesquite Bend',
        through: [
          [340, 120],
          [560, 200],
          [700, 120],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Pecan Ct',
        through: [
          [-120, -290],
          [-80, -60],
          [-100, 90],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Caliche Rd',
        through: [
          [260, -180],
          [220, -440],
          [260, -800],
        ],
      },
    ],
    creek: [
      [-1000, -60],
      [-720, 20],
      [-420, -20],
      [-160, 200],
      [160, 240],
      [420, 340],
      [1000, 420],
    ],
    lotAcres: 8,
    cornerLots: 3,
  },
  words: {
    creek: 'Pecan Draw',
    rise: 'Baldy Dome',
    pond: 'Granite Tank',
    park: 'Live Oak Grove',
    trees: ['a live oak', 'a mesquite', 'a pecan', 'an oak-wilt-killed oak'],
    storm: 'a spring supercell',
    wildlife: ['feral hogs', 'axis deer', 'a rattlesnake'],
    grass: 'cured bluestem',
  },
}
