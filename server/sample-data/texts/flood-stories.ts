import type { IncidentStory } from './incident-story.ts'

export const floodStories: readonly IncidentStory[] = [
  {
    at: 'road',
    severity: 'high',
    title: '{road} washed out',
    description:
      'Half the roadbed is gone after {storm}; drop of about 4 ft. No way round for the lots behind it.',
    outcome: 'Filled with 60 loads and compacted.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: '{creek} out of its banks',
    description:
      'Water in the yard of {parcel} and rising a foot an hour. Owners moved to the community building.',
    outcome: 'Back in its bed after two days.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: 'Embankment of {pond} seeping',
    description:
      'Wet spot at the toe of the dam grew from a plate to a door overnight. Level is being drawn down.',
    outcome: 'Clay blanket placed; the engineer signed off.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Culvert plugged on {road}',
    description: 'Branches and a fence panel. Water runs across the road, 6 in deep.',
    outcome: 'Cleared with the backhoe.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Mud across the drive of {parcel}',
    description: 'Slope above let go during {storm}. The car is stuck on the house side.',
    outcome: 'Bladed off the next morning.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Well house flooded',
    description: 'Pump is under water at {parcel}. Neighbor is lending a hose.',
    outcome: 'Well shocked, sample came back clean.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Beaver dam backing up {creek}',
    description: 'Meadow at {parcel} under a foot of water, fence posts leaning.',
    outcome: 'Flow pipe put in.',
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Standing water on {road}',
    description: 'Same dip as always. Passable with care.',
    outcome: 'Ditch regraded.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Runoff from the new pad',
    description: 'Silt from the building site at {parcel} is reaching {creek}. No fence set.',
    outcome: 'Silt fence and straw in place.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Cellar seepage',
    description: 'Two inches in the cellar after {storm}.',
    outcome: null,
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Washboard and ruts after rain',
    description:
      'The grade on {road} needs the blade before school starts. School bus driver complained again.',
    outcome: 'Graded and rolled.',
  },
  {
    at: 'lot',
    severity: null,
    title: 'High water mark on the gauge',
    description: 'Gauge at {creek} stopped reporting at 5.8 ft. Nobody has been able to get near.',
    outcome: 'Sensor replaced.',
  },
  {
    at: 'road',
    severity: null,
    title: 'Sound of water under the pavement',
    description: 'Hollow sound beside the mailboxes on {road}; may be a leaking main.',
    outcome: 'Coupling was cracked; repaired.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Bank undercut at {parcel}',
    description: 'Lost about 10 ft of bank to {creek}. The corner monument hangs in the air.',
    outcome: 'Riprap placed, corner reset by the surveyor.',
  },
]
