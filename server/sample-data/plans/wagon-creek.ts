import type { SamplePlan } from './sample-plan.ts'

export const wagonCreek: SamplePlan = {
  id: 'wagon-creek',
  name: 'Wagon Creek Ranchettes',
  location: 'Buffalo, Wyoming',
  center: { lat: 44.412, lng: -106.612 },
  parcelNaming: 'Tract',
  hasThumbnail: false,
  land: {
    outline: [
      [-1020, -760],
      [-200, -780],
      [-190, -640],
      [1000, -660],
      [1010, 340],
      [620, 350],
      [630, 780],
      [-560, 800],
      [-570, 560],
      [-1040, 540],
    ],
    roads: [
      {
        name: 'Wagon Creek Rd',
        through: [
          [-1200, 80],
          [-640, 60],
          [-240, -60],
          [200, -20],
          [660, 60],
          [1200, 20],
        ],
      },
      {
        name: 'Chokecherry Ln',
        through: [
          [-240, -60],
          [-280, 280],
          [-200, 520],
          [-240, 960],
        ],
      },
      {
        name: 'Windmill Rd',
        through: [
          [240, -20],
          [300, -320],
          [240, -820],
        ],
      },
      {
        name: 'Sagehen Ct',
        through: [
          [-640, 60],
          [-620, -220],
          [-680, -480],
        ],
        isDeadEnd: true,
      },
      {
        name: 'Stirrup Ln',
        through: [
          [440, 30],
          [400, 280],
          [440, 540],
        ],
        isDeadEnd: true,
      },
    ],
    creek: [
      [-1300, -300],
      [-820, -360],
      [-400, -300],
      [0, -360],
      [420, -280],
      [760, -400],
      [1300, -340],
    ],
    lotAcres: 19,
    cornerLots: 3,
  },
  words: {
    creek: 'Wagon Creek',
    rise: 'Powder Bench',
    pond: 'Sageland Reservoir',
    park: 'Windmill Arena',
    trees: ['a plains cottonwood', 'a ponderosa pine', 'a box elder', 'a Russian olive'],
    storm: 'a ground blizzard',
    wildlife: ['a mountain lion', 'pronghorn', 'a prairie rattlesnake'],
    grass: 'cured wheatgrass',
  },
}
