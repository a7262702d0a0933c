import type { IncidentStory } from './incident-story.ts'

export const fireStories: readonly IncidentStory[] = [
  {
    at: 'lot',
    severity: 'high',
    title: 'Brush fire near {road}',
    description:
      'About two acres of {grass} burned toward the fence of {parcel}. Wind out of the west, three engines on scene.',
    outcome: 'Lines held; mopped up by the second day.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: 'Barn fire at {parcel}',
    description:
      'Hay barn fully involved when the first truck came. Animals are out, the house was wetted down and is fine.',
    outcome: 'Total loss of the barn; cause was damp hay.',
  },
  {
    at: 'lot',
    severity: 'high',
    title: 'Wildfire spotting below {rise}',
    description:
      'Embers landing a quarter mile ahead of the front. Owners on {road} told to be ready to leave.',
    outcome: 'Evacuation notice lifted.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Escaped burn pile',
    description: 'Slash pile at {parcel} got into the {grass}.',
    outcome: 'Owner reminded of the permit rules.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Chimney fire',
    description: 'Flames from the flue seen from {road}. Department checked the attic with a camera.',
    outcome: 'Stove is out of use until it is swept.',
  },
  {
    at: 'lot',
    severity: 'medium',
    title: 'Lightning strike, tree smoldering',
    description: 'Top of {tree} is glowing on the slope behind {parcel}.',
    outcome: 'Felled and put out.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Vehicle fire on {road}',
    description: 'Pickup burning on the shoulder. Grass caught for about 30 ft; one lane closed.',
    outcome: 'Wreck towed, shoulder raked.',
  },
  {
    at: 'road',
    severity: 'medium',
    title: 'Grass fire from a dragging chain',
    description: 'Four small spots along {road}, all within half a mile.',
    outcome: null,
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Smoke report, nothing found',
    description: 'Caller saw smoke toward {rise}. Patrol drove every road.',
    outcome: 'Believed to be dust.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Campfire left burning',
    description: 'Ring of stones, still hot, near the back line of {parcel}.',
    outcome: 'Drowned with 20 gallons.',
  },
  {
    at: 'lot',
    severity: 'low',
    title: 'Burning during the ban',
    description: 'Barrel fire at {parcel} on a red-flag day. Owner did not know about the ban.',
    outcome: 'Put out while we watched.',
  },
  {
    at: 'road',
    severity: 'low',
    title: 'Arcing power line over {road}',
    description: 'Sparks at the pole with every gust. No fire so far; the power company has been called.',
    outcome: 'Insulator replaced.',
  },
  {
    at: 'lot',
    severity: null,
    title: 'Smell of smoke at night',
    description: 'Two calls from {road} between midnight and 1 am. Nothing seen.',
    outcome: null,
  },
  {
    at: 'lot',
    severity: null,
    title: 'Old burn scar smoking again',
    description: 'Drone picture shows a thin column near {creek}. Needs somebody to walk in.',
    outcome: 'Root burning underground, dug out.',
  },
]
