import type { Severity } from '#domain/incidents/incident-types.ts'

/** What happened, with {placeholders} for what it is called here. `outcome` is added once it is resolved. */
export type IncidentStory = {
  at: 'lot' | 'road'
  severity: Severity | null
  title: string
  description: string
  outcome: string | null
}

/** Puts local names in. */
export function tell(template: string, names: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const name = names[key]
    if (name === undefined) throw new Error(`No name is known for {${key}}`)
    return name
  })
}
