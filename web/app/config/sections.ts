/** Section 2 of the specification, and the summary that stands where no other is named. */
export const sections = ['map', 'configuration', 'features'] as const
export type Section = (typeof sections)[number]

export function isSection(text: string | undefined): text is Section {
  return sections.some((section) => section === text)
}

export const sectionTitles: Record<Section, string> = {
  map: 'Overview',
  configuration: 'Map Configuration',
  features: 'Map Features',
}
