import type { IncidentStory } from './incident-story.ts'

export const otherStories: readonly IncidentStory[] = [
  {
    at: 'lot',
    severity: 'high',
    title: 'Search for an overdue hiker',
    description:
      'Guest of {parcel} set out for {rise} at noon and is not back. Sheriff and 14 volunteers are out.',
    outcome: 'Found cold but well at dawn.',
  },
  {
    at: 'road',
    severity: 'high',
    title: 'Rollover on {road}',
    description:
      'Trailer jackknifed on the grade, one person taken to the hospital. Road closed until the load of pipe is off.',
    outcome: 'Reopened after four hours.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: 'Propane leak at {parcel}',
    description:
      'Regulator sheared off by sliding snow or a ladder, we do not know. Everybody within 500 ft was asked to leave.',
    outcome: 'Tank shut off and replaced.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Break-in at a cabin',
    description: 'Back window at {parcel} broken, tools and a generator gone. Tire tracks lead to {road}.',
    outcome: 'Report filed; the generator turned up at a pawn shop.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Gate arm broken off',
    description: 'Delivery truck did not stop. Camera has the plate.',
    outcome: 'Carrier paid for the arm.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Trespass: hunters on {parcel}',
    description: 'Two men with rifles inside the posted line, heading toward {creek}.',
    outcome: 'Warden wrote two citations.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Dumping beside {road}',
    description: 'Sofa, eleven tires, paint cans. Some of the paint has run toward the ditch.',
    outcome: 'Hauled off by the county.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Power out on {road}',
    description:
      'Nine homes dark since {storm}. Two owners depend on oxygen; a neighbor has a generator running for them.',
    outcome: 'Fuse replaced.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Wildlife: {animal} near the houses',
    description: 'Trash bins knocked over at {parcel}. Please keep them in until morning.',
    outcome: 'Not seen again.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Noise complaint',
    description: 'Dirt bikes on the common land, Sunday afternoon.',
    outcome: 'Talked to the parents.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Drone over the pasture',
    description: 'Flew low over the horses at {parcel} twice this week. Nobody knows whose it is.',
    outcome: null,
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Pothole on {road}',
    description: 'Wheel-deep, right after the curve. Cone set.',
    outcome: 'Cold patch until spring.',
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Sign missing at {road}',
    description: 'Post and all. Delivery drivers and the ambulance rely on it.',
    outcome: 'New sign set in concrete.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Loose cattle',
    description: 'Around 15 head on {road}, no brand that we could read.',
    outcome: 'Owner came with a trailer.',
  },
  {
    at: 'lot',
    severity: null,
    title: 'Shots heard at dusk',
    description: 'Five or six, from the direction of {rise}.',
    outcome: 'Target practice; legal.',
  },
  {
    at: 'road',
    severity: null,
    title: 'Abandoned trailer',
    description: 'No plates, parked half on the shoulder of {road} since last week.',
    outcome: 'Tagged and towed.',
  },
  {
    at: 'lot',
    severity: null,
    title: 'Boundary dispute at {parcel}',
    description:
      'New fence may be 12 ft over the line. Both owners sent photos and both quote the same plat.',
    outcome: 'Surveyor set stakes; fence will be moved.',
  },
]
