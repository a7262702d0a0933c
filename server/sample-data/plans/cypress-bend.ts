import type { SamplePlan } from './sample-plan.ts'

export const cypressBend: SamplePlan = {
  id: 'cypress-bend',
  name: 'Cypress Bend POA',
  location: 'Palatka, Florida',
  center: { lat: 29.604, lng: -81.742 },
  parcelNaming: 'Lot',
  hasThumbnail: true,
  land: {
    outline: [
      [-620, -520],
      [20, -540],
      [40, -460],
      [600, -480],
      [620, -100],
      [700, 40],
      [600, 220],
      [640, 420],
      [380, 520],
      [120, 460],
      [-160, 560],
      [-640, 540],
    ],
    roads: [
      {
        name: 'Cypress Bend Blvd',
        through: [
          [-780, -40],
          [-400, -60],
          [-100, 60],
          [200, 40],
          [440, -60],
          [800, -80],
        ],
      },
      {
        name: 'Heron Way',
        through: [
          [-400, -60],
          [-360, -280],
          [-80, -340],
          [180, -260],
          [220, 40],
        ],
      },
      {
        name: 'Palmetto Ln',
        through: [
          [-300, -30],
          [-340, 220],
          [-300, 720],
        ],
      },
      {
        name: 'Egret Ct',
        through: [
          [60, 60],
          [40, 240],
          [100, 340],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Gopher Tortoise Trl',
        through: [
          [-80, -340],
          [-120, -700],
        ],
      },
      {
        name: 'Sandhill Ct',
        through: [
          [400, -50],
          [420, -200],
          [440, -320],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Limpkin Ct',
        through: [
          [320, -10],
          [380, 180],
          [420, 280],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-900, 300],
      [-520, 320],
      [-200, 260],
      [-40, 380],
      [220, 200],
      [300, 120],
      [540, 140],
      [900, 100],
    ],
    lotAcres: 4.4,
    cornerLots: 4,
  },
  words: {
    creek: 'Cypress Slough',
    rise: 'Sandhill Ridge',
    pond: 'Limpkin Pond',
    park: 'Heron Green',
    trees: ['a bald cypress', 'a slash pine', 'a water oak', 'a cabbage palm'],
    storm: 'a tropical storm',
    wildlife: ['an alligator', 'a black bear', 'feral hogs'],
    grass: 'wiregrass',
  },
}
