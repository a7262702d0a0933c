// Kinds, shapes and statuses of features. No schema library: the first chunk of the page needs them.

/** In the order of lists and clicks; the first is on top of the map. */
export const featureKinds = ['incident', 'asset', 'parcel'] as const
export type FeatureKind = (typeof featureKinds)[number]

export const kindLabels: Record<FeatureKind, { one: string; many: string }> = {
  incident: { one: 'Incident', many: 'Incidents' },
  asset: { one: 'Asset', many: 'Assets' },
  parcel: { one: 'Parcel', many: 'Parcels' },
}

export const recordOf = <Key extends string, Value>(keys: readonly Key[], makeValue: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, makeValue(key)])) as Record<Key, Value>

/** Multi- geometries belong to their family. */
export const featureShapes = ['point', 'line', 'polygon'] as const
export type FeatureShape = (typeof featureShapes)[number]

/** Section 3: asset and general feature status. */
export const operationalStatuses = ['operational', 'maintenance', 'offline'] as const
export type OperationalStatus = (typeof operationalStatuses)[number]

/** Section 4: the two states of an incident. */
export const incidentStatuses = ['unresolved', 'resolved'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

export const featureStatuses = [...operationalStatuses, ...incidentStatuses] as const
export type FeatureStatus = (typeof featureStatuses)[number]

export const operationalStatusLabels = {
  operational: 'Operational',
  maintenance: 'Maintenance',
  offline: 'Offline',
} as const satisfies Record<OperationalStatus, string>

export const statusLabels: Record<FeatureStatus, string> = {
  ...operationalStatusLabels,
  unresolved: 'Unresolved',
  resolved: 'Resolved',
}
