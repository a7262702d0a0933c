import type { Severity } from '#domain/incidents/incident-types.ts'

/**
 * What happened, with {placeholders} for what it is called here. `home` is a lot with buildings, `creek` one at
 * the creek. `outcome` is added once it is resolved.
 */
export type IncidentStory = {
  at: 'lot' | 'home' | 'creek' | 'road' | 'park' | 'pond'
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
