import { assetTypes } from '#domain/assets/asset-types.ts'
import { crossingOfLines, lineLength, pointAlong } from '../land/curves.ts'
import type { Point } from '../land/plane.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type AssetText, assetStock } from '../texts/asset-stock.ts'
import { tell } from '../texts/incident-story.ts'
import type { AssetDraft } from './asset-draft.ts'
import { parcelAt, parcelNearest, placeInside, type SampleSite, type SitedParcel } from './sample-site.ts'

type Placed = { place: Point; road: string; parcel: SitedParcel }

/** Single things on the land: two of every type, the rest by chance; none that has no place here. */
export function assetPoints(site: SampleSite, count: number, random: SeededRandom): AssetDraft[] {
  const stock = random.shuffle(assetStock)
  const wanted = assetTypes.flatMap((type) => stock.filter((text) => text.type === type).slice(0, 2))
  const chosen = [...wanted, ...stock.filter((text) => !wanted.includes(text))]
  const places = placesOf(site, random)
  const numbers = new Map<string, number>()
  const drafts: AssetDraft[] = []
  for (const text of chosen) {
    const placed = drafts.length < count ? places(text.at) : undefined
    if (!placed) continue
    const number = (numbers.get(text.name) ?? 0) + 1
    numbers.set(text.name, number)
    const { creek, rise, pond } = site.plan.words
    const names = {
      road: placed.road,
      parcel: placed.parcel.shortName,
      number: String(number),
      creek,
      rise,
      pond,
    }
    drafts.push({
      type: text.type,
      name: tell(text.name, names),
      description: tell(text.description, names),
      geometry: { type: 'Point', coordinates: site.frame.toPosition(placed.place) },
      parcelId: parcelAt(site.parcels, placed.place)?.feature.id ?? null,
    })
  }
  return drafts
}

/** Deals out places of each sort, each one once. */
function placesOf({ land, parcels }: SampleSite, random: SeededRandom) {
  const lots = random.shuffle(parcels.filter((parcel) => !parcel.isCommon))
  const homes = lots.filter((parcel) => (parcel.feature.buildings ?? 0) > 0)
  const plain = lots.filter((parcel) => !homes.includes(parcel))
  const commons = parcels.filter((parcel) => parcel.isCommon)
  let roadside = random.integer(0, land.roads.length - 1)
  let common = 0
  const crossings = land.roads.flatMap((road) => {
    const place = crossingOfLines(road.line, land.creek)
    return place ? [{ place, road: road.name, parcel: parcelNearest(parcels, place) }] : []
  })
  const inParcel = (parcel: SitedParcel | undefined): Placed | undefined =>
    parcel && { place: placeInside(parcel.ring, 22, random), road: parcel.road, parcel }

  return (at: AssetText['at']): Placed | undefined => {
    switch (at) {
      case 'crossing':
        return crossings.pop()
      case 'home':
        return inParcel(homes.pop())
      case 'lot':
        return inParcel(plain.pop() ?? homes.shift())
      case 'common':
        return inParcel(commons[common++ % commons.length])
      case 'road': {
        const road = land.roads[roadside++ % land.roads.length]
        if (!road) return undefined
        const along = lineLength(road.line) * random.between(0.12, 0.92)
        const place = pointAlong(road.line, along, random.pick([-6.5, 6.5]))
        return { place, road: road.name, parcel: parcelNearest(parcels, place) }
      }
    }
  }
}
