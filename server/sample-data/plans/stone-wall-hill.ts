import type { SamplePlan } from './sample-plan.ts'

export const stoneWallHill: SamplePlan = {
  id: 'stone-wall-hill',
  name: 'Stone Wall Hill Association',
  location: 'Chester, Vermont',
  center: { lat: 43.292, lng: -72.672 },
  parcelNaming: 'Lot',
  hasThumbnail: true,
  land: {
    outline: [
      [-520, -640],
      [-40, -560],
      [60, -660],
      [460, -520],
      [520, -120],
      [380, -60],
      [460, 360],
      [180, 620],
      [-160, 520],
      [-480, 580],
      [-620, 120],
      [-480, -60],
    ],
    roads: [
      {
        name: 'Stone Wall Rd',
        through: [
          [-300, -780],
          [-220, -400],
          [-60, -160],
          [-100, 140],
          [40, 320],
          [20, 760],
        ],
      },
      {
        name: 'Sugarhouse Ln',
        through: [
          [-60, -160],
          [160, -240],
          [640, -300],
        ],
      },
      {
        name: 'Old Quarry Rd',
        through: [
          [-100, 120],
          [-320, 200],
          [-760, 300],
        ],
      },
      {
        name: 'Orchard Ct',
        through: [
          [-20, 240],
          [180, 180],
          [300, 140],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-700, 20],
      [-440, 40],
      [-260, -60],
      [-80, -20],
      [120, -40],
      [300, 0],
      [600, 40],
    ],
    lotAcres: 6.4,
    cornerLots: 2,
  },
  words: {
    creek: 'Tannery Brook',
    rise: 'Quarry Hill',
    pond: 'Sugarhouse Pond',
    park: 'Orchard Common',
    trees: ['a sugar maple', 'a yellow birch', 'a white ash', 'a hemlock'],
    storm: "a nor'easter",
    wildlife: ['a moose', 'a black bear', 'a fisher'],
    grass: 'meadow fescue',
  },
}
