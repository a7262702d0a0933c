import type { LandPlan } from '../land/survey.ts'
import type { LocalWords } from '../texts/local-words.ts'

/** One association as planned: everything else of its sample data follows from this by chance. */
export type SamplePlan = {
  id: string
  name: string
  location: string
  center: { lat: number; lng: number }
  /** A card without one shows a building. */
  hasThumbnail: boolean
  land: LandPlan
  /** How its plat names a parcel. */
  parcelNaming: 'Lot' | 'Tract' | 'Parcel'
  words: LocalWords
}
