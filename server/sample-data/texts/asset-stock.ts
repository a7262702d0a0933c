import type { AssetType } from '#domain/assets/asset-types.ts'

/** A thing that stands at one place. `crossing` is where a road crosses the creek; `home` is a lot with buildings. */
export type AssetText = {
  type: AssetType
  at: 'road' | 'lot' | 'common' | 'home' | 'crossing'
  name: string
  description: string
}

export const assetStock: readonly AssetText[] = [
  {
    type: 'water',
    at: 'road',
    name: 'Hydrant {number}',
    description: 'Dry-barrel hydrant on {road}, 5 in and 2.5 in outlets. 480 gpm at the last flow test.',
  },
  {
    type: 'water',
    at: 'road',
    name: 'Hydrant {number}',
    description: 'Hydrant opposite {parcel}. Keep 15 ft clear.',
  },
  {
    type: 'water',
    at: 'road',
    name: 'Hydrant {number}',
    description: 'End-of-line hydrant, also used to flush the main along {road}.',
  },
  {
    type: 'water',
    at: 'lot',
    name: 'Well {number}',
    description: 'Cased to 310 ft, 22 gpm, submersible pump on a 3 hp drive.',
  },
  {
    type: 'water',
    at: 'lot',
    name: 'Storage tank {number}',
    description: 'Bolted steel, 40,000 gallons; fills by telemetry from the wells.',
  },
  {
    type: 'water',
    at: 'road',
    name: 'Pressure valve, {road}',
    description: 'Reduces 110 psi from the upper zone to 62 psi.',
  },
  {
    type: 'water',
    at: 'lot',
    name: 'Booster station',
    description: 'Two pumps for the lots below {rise}; runs on the generator in an outage.',
  },
  {
    type: 'water',
    at: 'lot',
    name: 'Fire cistern',
    description: 'Buried, 10,000 gallons, with a draft pipe at the road for engines.',
  },
  {
    type: 'electrical',
    at: 'road',
    name: 'Transformer {number}',
    description: 'Pole-mounted, serves four lots on {road}.',
  },
  {
    type: 'electrical',
    at: 'road',
    name: 'Transformer {number}',
    description: 'Pad-mounted, green cabinet beside the drive of {parcel}.',
  },
  {
    type: 'electrical',
    at: 'road',
    name: 'Line recloser',
    description: 'Sectionalizes the feeder along {road}; reset from the ground with a hot stick.',
  },
  {
    type: 'electrical',
    at: 'common',
    name: 'Standby generator',
    description: 'Diesel, 48 kW, carries the pumps and the community building for two days.',
  },
  {
    type: 'electrical',
    at: 'common',
    name: 'Solar array',
    description: 'Ground-mounted, 36 panels; offsets the street lights and the well.',
  },
  {
    type: 'electrical',
    at: 'road',
    name: 'Street light at {road}',
    description: 'Solar with battery, motion-dimmed after 10 pm.',
  },
  {
    type: 'road',
    at: 'crossing',
    name: '{road} culvert',
    description: 'Corrugated steel pipe of 48 in under the road at {creek}.',
  },
  {
    type: 'road',
    at: 'crossing',
    name: 'Low-water crossing, {road}',
    description: 'Concrete slab with depth markers where the road meets {creek}.',
  },
  {
    type: 'road',
    at: 'road',
    name: 'Entrance gate',
    description: 'Steel swing gate with keypad and a siren sensor for engines.',
  },
  {
    type: 'road',
    at: 'road',
    name: 'Speed sign, {road}',
    description: 'Radar sign, 20 mph, on solar power.',
  },
  {
    type: 'road',
    at: 'road',
    name: 'Cattle guard, {road}',
    description: 'Eight rails on concrete footings, rated for loaded trucks.',
  },
  {
    type: 'road',
    at: 'road',
    name: 'Snow and sand stockpile',
    description: 'Turnout on {road} with 30 tons of road sand.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'House, {parcel}',
    description: 'Single-story frame house, metal roof. Address marker at the drive.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'Cabin, {parcel}',
    description: 'Log cabin on piers, used on weekends; no winter water.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'House, {parcel}',
    description: 'Two-story farmhouse with a wraparound porch and an attached garage.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'Guest house, {parcel}',
    description: 'One bedroom, on the main house’s well and septic.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'House, {parcel}',
    description: 'Earth-sheltered, faces south; off the grid.',
  },
  {
    type: 'residence',
    at: 'home',
    name: 'Caretaker’s house',
    description: 'Owned by the association; the caretaker answers after hours.',
  },
  {
    type: 'facility',
    at: 'common',
    name: 'Mail kiosk',
    description: 'Cluster boxes for 48 addresses, two parcel lockers, a bulletin board.',
  },
  {
    type: 'facility',
    at: 'common',
    name: 'Recycling and trash enclosure',
    description: 'Fenced and latched against animals. Pickup on Tuesdays.',
  },
  {
    type: 'facility',
    at: 'lot',
    name: 'Volunteer fire station',
    description: 'Two bays: a Type 6 engine and a 2,000 gallon tender.',
  },
  {
    type: 'facility',
    at: 'lot',
    name: 'Maintenance shop',
    description: 'Grader, backhoe and mower; fuel behind a berm.',
  },
  {
    type: 'facility',
    at: 'common',
    name: 'Helicopter landing zone',
    description: 'Level, 100 ft by 100 ft, wind sock; coordinates are with county dispatch.',
  },
  {
    type: 'recreation',
    at: 'common',
    name: 'Picnic shelter',
    description: 'Eight tables, two grills. Reserve with the office.',
  },
  {
    type: 'recreation',
    at: 'common',
    name: 'Playground',
    description: 'Swings, slide, climbing net; wood chips 12 in deep.',
  },
  {
    type: 'recreation',
    at: 'lot',
    name: '{rise} trailhead',
    description: 'Start of the 2.4 mile loop; register in the box.',
  },
  {
    type: 'recreation',
    at: 'common',
    name: 'Horseshoe pits',
    description: 'Two lanes with backstops, lit until nine.',
  },
  {
    type: 'recreation',
    at: 'common',
    name: 'Fishing dock',
    description: 'Floating dock on {pond}, catch and release.',
  },
  {
    type: 'communication',
    at: 'lot',
    name: 'Radio repeater',
    description: 'VHF repeater on a 60 ft mast; covers every lot but the far side of {rise}.',
  },
  {
    type: 'communication',
    at: 'road',
    name: 'Fiber cabinet {number}',
    description: 'Splitter cabinet, 32 ports, battery for eight hours.',
  },
  {
    type: 'communication',
    at: 'common',
    name: 'Weather station',
    description: 'Wind, rain, fuel moisture; posts every ten minutes.',
  },
  {
    type: 'communication',
    at: 'common',
    name: 'Warning siren',
    description: 'Tested at noon on the first Wednesday of the month.',
  },
  {
    type: 'communication',
    at: 'road',
    name: 'Gate camera',
    description: 'Looks both ways on {road}; pictures are kept for 14 days.',
  },
  {
    type: 'communication',
    at: 'road',
    name: 'Emergency phone',
    description: 'No cell signal here. Rings straight through to dispatch.',
  },
]
