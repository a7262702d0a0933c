import type { SamplePlan } from './sample-plan.ts'

export const birchLake: SamplePlan = {
  id: 'birch-lake',
  name: 'Birch Lake Landowners',
  location: 'Hayward, Wisconsin',
  center: { lat: 46.087, lng: -91.338 },
  parcelNaming: 'Lot',
  hasThumbnail: true,
  land: {
    outline: [
      [-800, -600],
      [820, -620],
      [800, -120],
      [640, -20],
      [700, 240],
      [520, 420],
      [160, 360],
      [-60, 520],
      [-360, 440],
      [-480, 600],
      [-820, 580],
    ],
    roads: [
      {
        name: 'Birch Lake Rd',
        through: [
          [-980, -160],
          [-560, -120],
          [-200, 40],
          [160, 0],
          [480, -140],
          [980, -240],
        ],
      },
      {
        name: 'Loon Call Ln',
        through: [
          [-560, -120],
          [-600, 180],
          [-640, 420],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Portage Trl',
        through: [
          [-140, 30],
          [-220, 200],
          [-180, 360],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Fen Rd',
        through: [
          [-60, 20],
          [-20, -260],
          [-80, -780],
        ],
      },
      {
        name: 'Wintergreen Ct',
        through: [
          [-40, -280],
          [200, -320],
          [440, -380],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Shoreline Dr',
        through: [
          [260, -30],
          [320, 120],
          [500, 180],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-1000, -420],
      [-640, -380],
      [-340, -280],
      [-40, -420],
      [240, -500],
      [500, -460],
      [1000, -440],
    ],
    lotAcres: 5.6,
    cornerLots: 3,
  },
  words: {
    creek: 'Tamarack Outlet',
    rise: 'Esker Hill',
    pond: 'Lilypad Pond',
    park: 'Portage Landing',
    trees: ['a paper birch', 'a balsam fir', 'a red pine', 'a basswood'],
    storm: 'a derecho',
    wildlife: ['a black bear', 'wolves', 'a beaver colony'],
    grass: 'marsh hay',
  },
}
