import type { IncidentStory } from './incident-story.ts'

export const fallenTreeStories: readonly IncidentStory[] = [
  {
    at: 'road',
    severity: 'high',
    title: 'Tree and lines down on {road}',
    description:
      'Top of {tree} took the service drop with it. Treat the line as live; nobody gets through until the power company clears it.',
    outcome: 'Line back up after 9 hours.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: 'Tree on the house at {parcel}',
    description: 'Root ball of {tree} lifted in {storm}. Roof is open over the bedroom, nobody hurt.',
    outcome: 'Tarped the same night.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: '{road} blocked by a fallen tree',
    description: 'About 2 ft through, across both lanes. Saw crew is on the way.',
    outcome: 'Cut and pushed aside within two hours.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Leaner over {road}',
    description: 'Roots of {tree} are lifting on the uphill side. It will not take another wind.',
    outcome: 'Dropped by the contractor.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Fence crushed at {parcel}',
    description: 'Stock is loose between {road} and {creek}. Three head still missing.',
    outcome: 'All found; fence patched.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Logjam at the footbridge',
    description: 'Several trunks wedged on {creek}. Planks are off on one side.',
    outcome: 'Winched out, planks renewed.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Windthrow along the back line',
    description:
      'Six stems down after {storm}, none near a building. The owner of {parcel} may want the firewood.',
    outcome: null,
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Branches on {road}',
    description: 'Small stuff, can be driven around.',
    outcome: 'Picked up on the Saturday work day.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Dead tree marked for removal',
    description: 'Beetle holes all round the trunk; painted with an orange X.',
    outcome: 'Felled and chipped.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Limb on the propane tank',
    description: 'No smell of gas at {parcel}, the dome is dented.',
    outcome: 'Supplier checked the fittings.',
  },
  {
    at: 'road',
    severity: null,
    title: 'Trees reported down past the gate',
    description: 'Message left on the machine, no name. Said it was somewhere along {road}.',
    outcome: 'Two small ones, cut up.',
  },
  {
    at: 'lot',
    severity: null,
    title: 'Cracking noises in the stand',
    description: 'Neighbors heard it three nights in a row near {parcel}. May be ice load.',
    outcome: null,
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Stump in the ditch, {road}',
    description: 'Rolled down from the cut above; the ditch is blocked and water is finding its own way.',
    outcome: 'Pulled with the grader.',
  },
]
