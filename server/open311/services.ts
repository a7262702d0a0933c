import { type IncidentType, incidentTypeLabels, incidentTypes } from '#domain/incidents/incident-types.ts'
import { notFound } from '../http/problem.ts'

const descriptions: Record<IncidentType, string> = {
  fire: 'Signs of a fire, or a danger of fire. Call 911 first if something is burning.',
  flood: 'Standing or rising water, blocked ditches, and washed-out roads.',
  fallen_tree: 'A tree or branch that has fallen, or is about to fall.',
  other: 'Anything else that the association should know about.',
}

export const services = incidentTypes.map((type) => ({
  service_code: type,
  service_name: incidentTypeLabels[type],
  description: descriptions[type],
  metadata: false,
  type: 'realtime',
  keywords: null,
  group: null,
}))

export function requireServiceCode(code: string): IncidentType {
  const type = incidentTypes.find((one) => one === code)
  if (type) return type
  throw notFound(`service_code: '${code.slice(0, 80)}' was not found. Codes are ${incidentTypes.join(', ')}.`)
}
