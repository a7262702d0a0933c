import type { SamplePlan } from './sample-plan.ts'

export const elkMeadow: SamplePlan = {
  id: 'elk-meadow',
  name: 'Elk Meadow Ranches',
  location: 'Westcliffe, Colorado',
  center: { lat: 38.168, lng: -105.372 },
  parcelNaming: 'Tract',
  hasThumbnail: true,
  land: {
    outline: [
      [-1250, -900],
      [200, -930],
      [210, -780],
      [1180, -800],
      [1240, 120],
      [1020, 260],
      [1000, 900],
      [-300, 940],
      [-320, 760],
      [-1230, 740],
    ],
    roads: [
      {
        name: 'Elk Meadow Rd',
        through: [
          [-1400, -160],
          [-820, -140],
          [-380, 40],
          [140, 20],
          [620, -120],
          [1400, -80],
        ],
      },
      {
        name: 'Antler Way',
        through: [
          [-380, 40],
          [-460, 380],
          [-360, 620],
          [-420, 1100],
        ],
      },
      {
        name: 'Sangre View Rd',
        through: [
          [200, 10],
          [300, -320],
          [220, -600],
          [260, -1100],
        ],
      },
      {
        name: 'Bluegrama Ln',
        through: [
          [-820, -140],
          [-900, -420],
          [-860, -640],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Hayfork Ct',
        through: [
          [560, -110],
          [620, 160],
          [560, 480],
          [640, 640],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-1500, 420],
      [-1000, 360],
      [-640, 480],
      [-200, 380],
      [240, 480],
      [700, 400],
      [1500, 520],
    ],
    lotAcres: 30,
    cornerLots: 2,
  },
  words: {
    creek: 'Beaverslide Creek',
    rise: 'Signal Butte',
    pond: 'Stockman Pond',
    park: 'Meadow Arena',
    trees: ['a lodgepole pine', 'a narrowleaf cottonwood', 'an old aspen', 'a Douglas fir'],
    storm: 'a spring blizzard',
    wildlife: ['an elk herd', 'a mountain lion', 'pronghorn'],
    grass: 'dry blue grama',
  },
}
