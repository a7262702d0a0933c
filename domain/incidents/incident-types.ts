/** Section 3 of the specification. */
export const incidentTypes = ['fire', 'flood', 'fallen_tree', 'other'] as const
export type IncidentType = (typeof incidentTypes)[number]

export const incidentTypeLabels = {
  fire: 'Fire',
  flood: 'Flood',
  fallen_tree: 'Fallen tree',
  other: 'Other',
} as const satisfies Record<IncidentType, string>

/** Section 3. Null is unknown: real records often have no severity. */
export const severities = ['high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

export const knownSeverityLabels = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
} as const satisfies Record<Severity, string>

export const severityLabels: Record<Severity | 'unknown', string> = {
  ...knownSeverityLabels,
  unknown: 'Unknown',
}

/** Section 9: meters. */
export const severityRadiusMeters: Record<Severity | 'unknown', number> = {
  high: 300,
  medium: 200,
  low: 100,
  unknown: 150,
}
