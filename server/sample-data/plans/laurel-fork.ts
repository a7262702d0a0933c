import type { SamplePlan } from './sample-plan.ts'

export const laurelFork: SamplePlan = {
  id: 'laurel-fork',
  name: 'Laurel Fork Association',
  location: 'Floyd, Virginia',
  center: { lat: 36.872, lng: -80.398 },
  parcelNaming: 'Tract',
  hasThumbnail: true,
  land: {
    outline: [
      [-640, -760],
      [-60, -640],
      [240, -720],
      [620, -420],
      [520, -60],
      [720, 240],
      [420, 620],
      [60, 560],
      [-220, 740],
      [-600, 480],
      [-520, 120],
      [-760, -260],
    ],
    roads: [
      {
        name: 'Laurel Fork Rd',
        through: [
          [-900, -420],
          [-500, -360],
          [-240, -160],
          [-120, 160],
          [140, 300],
          [700, 620],
        ],
      },
      {
        name: 'Rhododendron Way',
        through: [
          [-240, -160],
          [40, -220],
          [260, -360],
          [620, -640],
        ],
      },
      {
        name: 'Chestnut Gap Rd',
        through: [
          [-120, 160],
          [-300, 380],
          [-420, 780],
        ],
      },
      {
        name: 'Trillium Ct',
        through: [
          [-60, -200],
          [100, 0],
          [280, 60],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Fiddlehead Ln',
        through: [
          [-480, -350],
          [-420, -520],
          [-260, -580],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-200, -900],
      [-120, -560],
      [40, -400],
      [200, -140],
      [360, 20],
      [480, 200],
      [800, 260],
    ],
    lotAcres: 6.5,
    cornerLots: 3,
  },
  words: {
    creek: 'Laurel Fork',
    rise: 'Hawk Rock',
    pond: 'Springhouse Pond',
    park: 'Chestnut Commons',
    trees: ['a tulip poplar', 'a red oak', 'a dead ash', 'a white pine'],
    storm: 'the remnants of a tropical storm',
    wildlife: ['a black bear', 'coyotes', 'a copperhead'],
    grass: 'orchard grass',
  },
}
