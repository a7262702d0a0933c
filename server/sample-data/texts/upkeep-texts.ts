/** What an asset is made of, and so what people do to it and what goes wrong. */
export type AssetNature = 'pipe' | 'wire' | 'roadway' | 'home' | 'building' | 'ground'

/** What was done. */
export const upkeepTexts: Record<AssetNature, readonly string[]> = {
  pipe: [
    'Flushed for 20 minutes, chlorine back at 0.6 ppm.',
    'Valve exercised, packing tightened.',
    'Leak at a coupling repaired.',
    'Pressure test passed.',
    'Painted and renumbered.',
    'Frozen riser repaired, heat tape added.',
    'Sample taken, clean.',
    'Meter read and battery changed.',
    'Weeds and brush cleared around it.',
    'Gasket replaced.',
  ],
  wire: [
    'Infrared scan, no hot spots.',
    'Spliced where a squirrel had gnawed it.',
    'Vegetation trimmed to 10 ft.',
    'Connectors cleaned and greased.',
    'Ground rod tested at 9 ohms.',
    'Batteries replaced.',
    'Lock and warning signs renewed.',
    'Storm damage repaired.',
    'Surge arrestor changed.',
  ],
  roadway: [
    'Graded and crowned.',
    'Ditches pulled on both sides.',
    'Six loads of base rock spread.',
    'Potholes patched.',
    'Dust treatment applied.',
    'Brush cut back for sight distance.',
    'Frayed edges repaired.',
    'Signs straightened, one post replaced.',
    'Shoulder mown.',
    'Reflectors replaced.',
  ],
  home: [
    'Defensible space inspected, passed.',
    'Septic pumped.',
    'Roof and gutters cleaned.',
    'Smoke alarms tested by the fire company.',
    'Address marker replaced.',
    'Well sample taken.',
    'Chimney swept.',
  ],
  building: [
    'Annual fire extinguisher service.',
    'Roof leak patched.',
    'Hinges and latches oiled.',
    'Locks rekeyed.',
    'Concrete apron sealed.',
    'Gutters cleaned.',
    'Lights changed to LED.',
    'Pest control visit.',
    'Repainted by volunteers.',
  ],
  ground: [
    'Spring cleanup with 18 volunteers.',
    'Mown and trimmed.',
    'Safety inspection, nothing found.',
    'Brush cleared, two truckloads.',
    'Signs replaced.',
    'Erosion at the edge filled and seeded.',
    'Burrows filled.',
    'Weeds treated.',
  ],
}

/** Why it is not in order now. */
export const troubleTexts: Record<'maintenance' | 'offline', Record<AssetNature, readonly string[]>> = {
  maintenance: {
    pipe: [
      'Crew on site this week; pressure may drop.',
      'Slow leak; repair is scheduled.',
      'Being repacked.',
    ],
    wire: [
      'Work planned for Thursday morning.',
      'Parts on order, running on a bypass.',
      'Short drop-outs while it is tested.',
    ],
    roadway: [
      'Work under way, expect one lane.',
      'Crew on the shoulder; slow down.',
      'Being rebuilt this month.',
    ],
    home: ['Reroofing; lumber beside the drive.', 'Septic field being renewed.', 'Being rewired.'],
    building: ['Partly closed for repairs.', 'Contractor on site on weekdays.', 'Being repainted.'],
    ground: ['Reseeded; please stay off.', 'Crew at work on weekdays.', 'Being surveyed.'],
  },
  offline: {
    pipe: ['Shut off until it has been repaired.', 'Out of service; use the next one.', 'Drained.'],
    wire: [
      'Dead since the last storm.',
      'Locked out until the inspector has been.',
      'Waiting for a replacement unit.',
    ],
    roadway: ['Closed. Use the other way out.', 'Closed after storm damage.', 'Barricaded.'],
    home: [
      'Boarded up; utilities disconnected.',
      'Empty and not to be entered.',
      'Red-tagged by the county.',
    ],
    building: ['Closed for the season.', 'Closed after water damage.', 'Closed until it is inspected.'],
    ground: ['Closed until spring.', 'Fenced off for safety.', 'Closed after the last storm.'],
  },
}
