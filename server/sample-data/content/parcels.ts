import type { Today } from '../calendar.ts'
import { daysAgo } from '../calendar.ts'
import { raggedness } from '../land/chords.ts'
import { lineLength, pointAlong } from '../land/curves.ts'
import type { LocalFrame } from '../land/local-frame.ts'
import { distance, ringCentroid } from '../land/plane.ts'
import { isBesideLine, type Land, type Lot } from '../land/survey.ts'
import type { SamplePlan } from '../plans/sample-plan.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { commonZonings, lotDescriptions, lotZonings } from '../texts/parcel-texts.ts'
import { familyNames, inventOwner } from '../texts/people.ts'
import { acresOfRing } from './ring-acres.ts'
import type { NewParcel, SitedParcel } from './sample-site.ts'

/** Names every lot and gives it an owner; the association keeps two for itself, a park and one with a pond. */
export function sampleParcels(
  { plan, land, frame, today }: { plan: SamplePlan; land: Land; frame: LocalFrame; today: Today },
  random: SeededRandom,
): SitedParcel[] {
  const commons = commonLots(land)
  const lots = [...land.lots.filter((lot) => !commons.includes(lot)), ...commons]
  const families = random.shuffle(familyNames)
  const descriptions = random.shuffle(lotDescriptions)
  return lots.map((lot, index) => {
    const road = land.roads[lot.road ?? 0]?.name ?? ''
    const common = commons.indexOf(lot)
    const base = parcelBase(plan, frame, lot, index)
    if (common >= 0) {
      const shortName = common === 0 ? plan.words.park : plan.words.pond
      const name = `Common Area ${'AB'.charAt(common)} - ${shortName}`
      return {
        feature: { ...base, name, ...commonFields(plan, common, today) },
        ring: lot.ring,
        road,
        shortName,
        isCommon: true,
      }
    }
    const shortName = `${plan.parcelNaming} ${index + 1}`
    const name = plan.parcelNaming === 'Parcel' ? `${shortName} - ${road}` : shortName
    const family = families[index % families.length] as string
    const fields = lotFields(base.area ?? 0, today, random)
    const feature: NewParcel = {
      ...base,
      name,
      description: descriptions[index % descriptions.length] as string,
      owner: inventOwner(family, [plan.words.rise, plan.words.creek, plan.words.park], random),
      ...fields,
    }
    return { feature, ring: lot.ring, road, shortName, isCommon: false }
  })
}

function parcelBase(plan: SamplePlan, frame: LocalFrame, lot: Lot, index: number) {
  const ring = frame.toRing(lot.ring)
  return {
    kind: 'parcel' as const,
    id: `parcel-${index + 1}`,
    mapId: plan.id,
    geometry: { type: 'Polygon' as const, coordinates: [ring] },
    metadata: [],
    area: acresOfRing(ring),
  }
}

function commonFields(plan: SamplePlan, common: number, today: Today) {
  const [zoning] = commonZonings
  return {
    description:
      common === 0
        ? 'Park and meeting ground of the association, open to all members.'
        : `Land around ${plan.words.pond}, kept for drainage, fishing and fire water.`,
    owner: plan.name,
    buildings: common === 0 ? 3 : 0,
    purchaseDate: daysAgo(today, 11_800 + 40 * common),
    zoning: { type: zoning?.type ?? '', restrictions: zoning?.restrictions[common] ?? null },
    taxInfo: { annualAmount: 0, lastPaid: null },
  }
}

function lotFields(acres: number, today: Today, random: SeededRandom) {
  const zoning = random.pick(lotZonings)
  const buildings = random.pick([0, 0, 1, 1, 1, 2, 2, 3, 4])
  const annualAmount =
    Math.round((acres * random.between(14, 46) + buildings * random.between(480, 1900) + 60) * 100) / 100
  return {
    buildings,
    purchaseDate: daysAgo(today, random.integer(90, 13_500)),
    zoning: { type: zoning.type, restrictions: random.pick(zoning.restrictions) },
    taxInfo: { annualAmount, lastPaid: random.chance(0.06) ? null : daysAgo(today, random.integer(12, 340)) },
  }
}

/** The park lies near the middle of the main road, the pond beside the creek; both are lots of a plain shape. */
function commonLots(land: Land): [Lot, Lot] {
  const main = land.roads[0]?.line ?? []
  const middle = pointAlong(main, 0.45 * lineLength(main))
  const plain = land.lots.filter((lot) => raggedness(lot.ring) < 1.6)
  const awayFromMiddle = (lot: Lot) => distance(ringCentroid(lot.ring), middle)
  const [park] = plain.toSorted((one, other) => awayFromMiddle(one) - awayFromMiddle(other))
  const [pond] = plain
    .filter((lot) => lot !== park && isBesideLine(lot, land.creek, 15))
    .sort((one, other) => raggedness(one.ring) - raggedness(other.ring))
  if (!park || !pond) throw new Error('The land has no room for a park and a pond')
  return [park, pond]
}
