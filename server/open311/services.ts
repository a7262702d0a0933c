import { type IncidentType, incidentTypes } from '#domain/incidents/incident-types.ts'
import { labelOfType, type ReportSettings } from '#domain/reports/report-settings.ts'
import { notFound } from '../http/problem.ts'

const descriptions: Record<IncidentType, string> = {
  fire: 'Signs of a fire, or a danger of fire.',
  flood: 'Standing or rising water, blocked ditches, and washed-out roads.',
  fallen_tree: 'A tree or branch that has fallen, or is about to fall.',
  other: 'Anything else that the association should know about.',
}

/** The types that the form of the page offers, with their own labels and notices. */
export const servicesOf = (settings: ReportSettings) =>
  incidentTypes
    .filter((type) => settings.types[type].isOffered)
    .map((type) => ({
      service_code: type,
      service_name: labelOfType(settings, type),
      description: [descriptions[type], settings.types[type].notice].filter(Boolean).join(' '),
      metadata: false,
      type: 'realtime',
      keywords: null,
      group: null,
    }))

/** Also of types that are no longer offered: programs may have stored them. */
export function requireServiceCode(code: string): IncidentType {
  const type = incidentTypes.find((one) => one === code)
  if (type) return type
  throw notFound(`service_code: '${code.slice(0, 80)}' was not found. Codes are ${incidentTypes.join(', ')}.`)
}
