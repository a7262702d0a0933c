import type { NewFeature } from '#domain/features/feature.schema.ts'
import { type IncidentType, incidentTypes } from '#domain/incidents/incident-types.ts'
import { instantAgo } from '../calendar.ts'
import { lineLength, pointAlong } from '../land/curves.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { fallenTreeStories } from '../texts/fallen-tree-stories.ts'
import { fireStories } from '../texts/fire-stories.ts'
import { floodStories } from '../texts/flood-stories.ts'
import { type IncidentStory, tell } from '../texts/incident-story.ts'
import { otherStories } from '../texts/other-stories.ts'
import { inventPerson } from '../texts/people.ts'
import { parcelAt, parcelNearest, placeInside, roadNearest, type SampleSite } from './sample-site.ts'

export type NewIncident = Extract<NewFeature, { kind: 'incident' }>

const storiesOfType: Record<IncidentType, readonly IncidentStory[]> = {
  fire: fireStories,
  flood: floodStories,
  fallen_tree: fallenTreeStories,
  other: otherStories,
}

/** How long ago, in days from midnight: [from, to, at least this many]. Last week, month, year, and older. */
const ages = [
  [0.1, 5.9, 2],
  [8, 28, 3],
  [34, 350, 5],
  [380, 1_400, 2],
] as const

/** Newest first: `incident-1` is the latest. */
export function sampleIncidents(site: SampleSite, random: SeededRandom): NewIncident[] {
  const count = random.integer(16, 29)
  const stories = dealStories(count, random)
  const days = dealAges(count, random)
  const lots = random.shuffle(site.parcels)
  return stories.map(({ type, story }, index) => {
    const lot = lots[index % lots.length] as (typeof lots)[number]
    const place = story.at === 'lot' ? placeInside(lot.ring, 25, random) : roadside(site, random)
    const parcel = parcelAt(site.parcels, place)
    const { trees, wildlife, ...words } = site.plan.words
    const names = {
      ...words,
      tree: random.pick(trees),
      animal: random.pick(wildlife),
      road: roadNearest(site.land, place),
      parcel: (parcel ?? parcelNearest(site.parcels, place)).shortName,
    }
    const ago = days[index] as number
    const resolvedAfter = ago * random.between(0.02, 0.6)
    const resolved =
      index !== 0 && (index === count - 1 || random.chance(ago < 7 ? 0.25 : ago < 60 ? 0.6 : 0.88))
    const description = tell(story.description, names)
    return {
      kind: 'incident',
      id: `incident-${index + 1}`,
      mapId: site.plan.id,
      geometry: { type: 'Point', coordinates: site.frame.toPosition(place) },
      metadata: [],
      title: tell(story.title, names),
      description: resolved && story.outcome ? `${description} ${story.outcome}` : description,
      type,
      severity: story.severity,
      date: instantAgo(site.today, ago),
      parcelId: parcel?.feature.id ?? null,
      reportedBy: random.chance(0.12) ? random.pick(offices) : inventPerson(random),
      resolved,
      resolvedDate: resolved ? instantAgo(site.today, ago - Math.min(resolvedAfter, 45)) : null,
    }
  })
}

const offices = ['Gate attendant', 'County dispatch', 'Caretaker', 'Volunteer fire company', 'Road committee']

/** Stories of all types and severities, none twice: severities take turns within a type. */
function dealStories(count: number, random: SeededRandom): { type: IncidentType; story: IncidentStory }[] {
  const decks = random
    .shuffle(incidentTypes)
    .map((type, index) => ({ type, deck: inTurns(storiesOfType[type], index, random) }))
  const dealt = Array.from({ length: count }, (_, index) => {
    const { type, deck } = decks[index % decks.length] as (typeof decks)[number]
    return { type, story: deck[Math.floor(index / decks.length)] as IncidentStory }
  })
  return random.shuffle(dealt)
}

function inTurns(stories: readonly IncidentStory[], first: number, random: SeededRandom): IncidentStory[] {
  const severities = ['high', 'medium', 'low', null] as const
  const bySeverity = severities.map((severity) =>
    random.shuffle(stories.filter((story) => story.severity === severity)),
  )
  const dealt: IncidentStory[] = []
  for (let turn = first; dealt.length < stories.length; turn++) {
    const next = bySeverity[turn % severities.length]?.pop()
    if (next) dealt.push(next)
  }
  return dealt
}

function dealAges(count: number, random: SeededRandom): number[] {
  const least = ages.flatMap(([from, to, atLeast]) =>
    Array.from({ length: atLeast }, () => random.between(from, to)),
  )
  const more = Array.from({ length: count - least.length }, () => {
    const [from, to] = random.pick(ages.slice(1))
    return random.between(from, to)
  })
  return [...least, ...more].sort((one, other) => one - other)
}

function roadside({ land }: SampleSite, random: SeededRandom) {
  const road = random.pick(land.roads)
  return pointAlong(road.line, lineLength(road.line) * random.between(0.08, 0.9), random.between(-4, 4))
}
