import type { FieldNote } from './field-note.ts'

export const polygonNotes: readonly FieldNote[] = [
  {
    featureType: 'parcel',
    name: 'Grazing unit North',
    description: 'Rested this year.',
    notes: 'Stubble height 5 in',
  },
  {
    featureType: 'incident',
    name: 'Burn perimeter, west slope',
    description: 'Mapped on foot with a handheld.',
    notes: 'Cold since the third day',
  },
  {
    featureType: 'asset',
    name: 'Solar field',
    description: 'Fenced, 24 panels.',
    notes: 'Mow in June',
  },
  {
    featureType: 'parcel',
    name: 'Meadow lease',
    description: 'Leased for hay year to year.',
    notes: 'Gate code with the office',
  },
  {
    featureType: 'asset',
    name: 'Helispot 7',
    description: 'Level and free of wires.',
    notes: 'Dust is a problem',
  },
  {
    featureType: 'parcel',
    name: 'Parcel under review',
    description: 'Two deeds name the same corner.',
    notes: 'With the title company',
  },
  {
    featureType: 'incident',
    name: 'Flooded flat',
    description: 'Ankle-deep after the storm.',
    notes: 'Dry within a week',
  },
  {
    featureType: 'asset',
    name: 'Gravel pit',
    description: 'Pit run for the roads.',
    notes: 'About 900 yd left',
  },
  {
    featureType: 'parcel',
    name: 'Wood lot',
    description: 'Marked for thinning.',
    notes: 'Mostly under 9 in',
  },
  {
    featureType: 'asset',
    name: 'Reservoir',
    description: 'Earth dam with a pipe spillway.',
    notes: 'Freeboard 4 ft',
  },
  {
    featureType: 'incident',
    name: 'Weed patch, knapweed',
    description: 'Sprayed last summer.',
    notes: 'Smaller than before',
  },
  {
    featureType: 'asset',
    name: 'Corral',
    description: 'Pipe panels and a loading chute.',
    notes: 'Chute floor renewed',
  },
  {
    featureType: 'parcel',
    name: 'Dry camp',
    description: 'Level ground for six trailers.',
    notes: 'No water',
  },
]
