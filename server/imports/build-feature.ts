import { assetTypeLabels } from '#domain/assets/asset-types.ts'
import { type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import type { FeatureKind } from '#domain/features/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { describeIssue } from './describe-issue.ts'
import { Refusal } from './refusal.ts'
import { toMetadata } from './to-metadata.ts'

export type FeatureParts = {
  kind: FeatureKind
  mapId: string
  id: string
  sourceId: string | undefined
  geometry: Geometry
  values: Map<string, unknown>
  rest: [column: string, value: unknown][]
}

/** A complete feature of what a record says; throws a Refusal where a limit of the schema is not kept. */
export function buildFeature(parts: FeatureParts): NewFeature {
  const { kind, mapId, id, geometry } = parts
  const own = fieldsOf[kind](parts)
  const metadata = toMetadata(parts.rest)
  // The geometry has been checked already, vertex by vertex and with better words.
  const checked = newFeature.safeParse({ kind, mapId, id, metadata, ...own, geometry: anyGeometry })
  if (!checked.success) throw new Refusal(describeIssue(checked.error.issues[0], { ...own, metadata }))
  return { ...checked.data, geometry }
}

const anyGeometry: Geometry = { type: 'Point', coordinates: [0, 0] }

const fieldsOf: Record<FeatureKind, (parts: FeatureParts) => Record<string, unknown>> = {
  incident({ values, sourceId }) {
    const type = values.get('type') ?? null
    const resolvedDate = values.get('resolvedDate') ?? null
    return {
      title: values.get('title') ?? nameless(typeLabel(type) ?? 'Incident', sourceId),
      description: values.get('description') ?? '',
      type,
      severity: values.get('severity') ?? null,
      date: values.get('date') ?? null,
      parcelId: values.get('parcelId') ?? null,
      reportedBy: values.get('reportedBy') ?? null,
      resolved: values.get('resolved') ?? resolvedDate !== null,
      resolvedDate,
    }
  },
  asset({ values, sourceId }) {
    const type = values.get('type') ?? null
    return {
      name: values.get('name') ?? nameless(typeLabel(type) ?? 'Asset', sourceId),
      description: values.get('description') ?? '',
      type,
      status: values.get('status') ?? 'operational',
      parcelId: values.get('parcelId') ?? null,
      installDate: values.get('installDate') ?? null,
      lastMaintenance: values.get('lastMaintenance') ?? null,
      maintenanceHistory: [],
    }
  },
  parcel({ values, sourceId }) {
    const restrictions = values.get('zoning.restrictions')
    const zoningType = values.get('zoning.type') ?? (restrictions === undefined ? undefined : '')
    const annualAmount = values.get('taxInfo.annualAmount') ?? null
    const lastPaid = values.get('taxInfo.lastPaid') ?? null
    return {
      name: values.get('name') ?? nameless('Parcel', sourceId),
      description: values.get('description') ?? '',
      owner: values.get('owner') ?? null,
      area: values.get('area') ?? null,
      buildings: values.get('buildings') ?? null,
      purchaseDate: values.get('purchaseDate') ?? null,
      zoning: zoningType === undefined ? null : { type: zoningType, restrictions: restrictions ?? null },
      taxInfo: annualAmount === null && lastPaid === null ? null : { annualAmount, lastPaid },
    }
  },
}

const typeLabels: Record<string, string> = { ...incidentTypeLabels, ...assetTypeLabels }
const typeLabel = (type: unknown) => (typeof type === 'string' ? typeLabels[type] : undefined)

/** A list needs something to show. */
function nameless(label: string, sourceId: string | undefined): string {
  return sourceId === undefined ? label : `${label} ${sourceId}`.slice(0, 300).toWellFormed()
}
