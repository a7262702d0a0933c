export type ZoningText = { type: string; restrictions: readonly (string | null)[] }

export const lotZonings: readonly ZoningText[] = [
  {
    type: 'Rural Residential',
    restrictions: [
      'One dwelling and one guest house. No short-term rentals under 30 days.',
      'Buildings 50 ft from the road and 25 ft from side lines.',
      'No more than 4 large animals. No commercial kennels.',
      'Metal roofs in earth tones only; fire-resistant siding required.',
    ],
  },
  {
    type: 'Agricultural Residential',
    restrictions: [
      'Farm buildings allowed without review. No subdivision below the recorded lot.',
      'Grazing by agreement; perimeter fence kept by the owner.',
      'No mobile homes older than 10 years. Farm stands allowed.',
      null,
    ],
  },
  {
    type: 'Rural Conservation',
    restrictions: [
      'No clearing within 100 ft of the water. One building envelope.',
      'Conservation easement over the rear half; foot access for surveys.',
      'No fences that stop wildlife. No outdoor lighting after 10 pm.',
    ],
  },
  {
    type: 'Limited Home Business',
    restrictions: [
      'Home workshop up to 2,500 sq ft; two employees; no retail traffic.',
      'No overnight truck parking. Signs no larger than 4 sq ft.',
    ],
  },
]

export const commonZonings: readonly ZoningText[] = [
  {
    type: 'Common Open Space',
    restrictions: [
      'Members and guests only. No motor vehicles off the marked road.',
      'Day use. Dogs on leash. No open fires from May to October.',
    ],
  },
]

export const lotDescriptions: readonly string[] = [
  'Gently sloping, with a graded drive to the building site.',
  'Fenced on three sides. Well and septic in.',
  'Wooded at the back, open toward the road.',
  'Vacant. Corners marked with capped rebar at the last survey.',
  'Barn and pole shed near the road, house site on the rise.',
  'Utility easement of 15 ft along the front line.',
  'Drive shared with the neighbor by recorded agreement.',
  'Old fence line is not the boundary; see the plat.',
  'Steep in the northeast corner, otherwise easy ground.',
  'Owner lives here all year.',
  'Seasonal cabin, used from May to October.',
  'Hay ground, leased out year to year.',
  'Driveway culvert replaced by the owner.',
  'Partly in the mapped flood zone; ask before building.',
  'Fuel break along the whole front.',
  'Bought as an investment; not yet improved.',
  'Two building sites, one with power.',
  'View easement in favor of the lot behind.',
  'Rocky. Soil test for the septic field is on file.',
  'Second gate for stock at the far corner.',
  'Corner lot; no drive allowed onto the side road.',
  'Cistern of 2,500 gallons for fire use beside the drive.',
]
