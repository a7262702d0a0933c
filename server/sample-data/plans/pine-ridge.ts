import type { SamplePlan } from './sample-plan.ts'

export const pineRidge: SamplePlan = {
  id: 'pine-ridge',
  name: 'Pine Ridge POA',
  location: 'Payson, Arizona',
  center: { lat: 34.05, lng: -111.09 },
  parcelNaming: 'Parcel',
  hasThumbnail: true,
  land: {
    outline: [
      [-880, -640],
      [-120, -700],
      [-100, -610],
      [620, -640],
      [900, -380],
      [860, 130],
      [700, 180],
      [690, 640],
      [120, 720],
      [-420, 660],
      [-480, 420],
      [-900, 380],
    ],
    roads: [
      {
        name: 'Juniper Rd',
        through: [
          [-200, -800],
          [-160, -420],
          [-40, -120],
          [-90, 200],
          [60, 480],
          [40, 820],
        ],
      },
      {
        name: 'Ridgeline Dr',
        through: [
          [-1000, -60],
          [-620, -20],
          [-320, -90],
          [-40, -120],
        ],
      },
      {
        name: 'Manzanita Trl',
        through: [
          [-80, -40],
          [260, 20],
          [520, -60],
          [1000, -100],
        ],
      },
      {
        name: 'Quail Ct',
        through: [
          [-560, -20],
          [-600, -220],
          [-560, -400],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Agave Ct',
        through: [
          [330, 10],
          [350, -160],
          [300, -380],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Rim View Ln',
        through: [
          [-60, 300],
          [200, 380],
          [430, 400],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-1000, -420],
      [-700, -300],
      [-300, -380],
      [40, -420],
      [420, -470],
      [700, -330],
      [1000, -300],
    ],
    lotAcres: 10,
    cornerLots: 3,
  },
  words: {
    creek: 'Sycamore Wash',
    rise: 'Flint Knob',
    pond: 'Tinaja Pond',
    park: 'Juniper Green',
    trees: ['a ponderosa pine', 'an alligator juniper', 'a Gambel oak', 'a dead pinyon'],
    storm: 'a monsoon storm',
    wildlife: ['javelina', 'elk', 'a black bear'],
    grass: 'cheatgrass',
  },
}
