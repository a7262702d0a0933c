import type { FieldNote } from './field-note.ts'

export const lineNotes: readonly FieldNote[] = [
  {
    featureType: 'asset',
    name: 'Two-track to the spring',
    description: 'High clearance only, last 300 yd rocky.',
    notes: 'Brushed in May',
  },
  {
    featureType: 'asset',
    name: 'Boundary fence, section line',
    description: 'Four strands, smooth wire at the bottom.',
    notes: 'H-brace leans at the wash',
  },
  {
    featureType: 'asset',
    name: 'Poly pipe to trough 3',
    description: 'One and a quarter inch, on the surface.',
    notes: 'Drain before frost',
  },
  {
    featureType: 'incident',
    name: 'Wash running bank to bank',
    description: 'Reported by two drivers.',
    notes: 'Gauge plate read 3.2',
  },
  {
    featureType: 'asset',
    name: 'Ridge trail',
    description: 'Narrow tread, good views to the south.',
    notes: 'Drainage dips cleaned',
  },
  {
    featureType: 'asset',
    name: 'Overhead line, tap 12',
    description: 'Single-phase, five poles.',
    notes: 'Woodpecker holes in pole 3',
  },
  {
    featureType: 'asset',
    name: 'Culvert line, lower road',
    description: 'Three barrels in a row.',
    notes: 'Middle one half full',
  },
  {
    featureType: 'incident',
    name: 'Vehicle tracks off the road',
    description: 'Ruts through the meadow.',
    notes: 'Photographed',
  },
  {
    featureType: 'asset',
    name: 'Fire line, old dozer cut',
    description: 'Grown over with grass.',
    notes: 'Could be reopened',
  },
  {
    featureType: 'asset',
    name: 'Bypass road',
    description: 'One-way while the bridge is out.',
    notes: 'Signs at both ends',
  },
  {
    featureType: 'parcel',
    name: 'Line in dispute',
    description: 'Fence and plat differ by 12 ft.',
    notes: 'Surveyor booked',
  },
  {
    featureType: 'asset',
    name: 'Creek gauge transect',
    description: 'Five pins across the channel.',
    notes: 'Pin 2 bent',
  },
]
