import { assetTypes } from '#domain/assets/asset-types.ts'
import { type FeatureKind, operationalStatuses } from '#domain/features/kinds.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import * as read from './read-values.ts'

/**
 * A field that a column can fill. Columns that are called like it or like one of its `aliases` fill it by
 * themselves, earlier aliases first; none where `isOnlyExplicit`.
 */
export type Field = { reader: read.ValueReader; aliases: readonly string[]; isOnlyExplicit?: boolean }
export type Fields = Readonly<Record<string, Field>>

const field = (reader: read.ValueReader, ...aliases: string[]): Field => ({ reader, aliases })

/** A parcel's id elsewhere is hardly ever its id here, so no column is taken for it unasked. */
const parcelId: Field = { reader: read.idOfFeature, aliases: [], isOnlyExplicit: true }

/** Any kind: who the record is to its source, and where a record without geometry is. */
const commonFields: Fields = {
  id: field(read.text, 'globalid', 'uniqueid', 'objectid'),
  latitude: field(read.number, 'lat', 'y'),
  longitude: field(read.number, 'lon', 'lng', 'long', 'x'),
}

export const fieldsOfKind: Record<FeatureKind, Fields> = {
  incident: {
    ...commonFields,
    title: field(read.name, 'name'),
    description: field(read.text, 'desc'),
    type: field(read.oneOf(incidentTypes), 'incidenttype'),
    severity: field(read.oneOf(severities)),
    date: field(read.instant, 'datetime', 'incidentdate'),
    parcelId,
    reportedBy: field(read.name, 'reporter'),
    resolved: field(read.yesOrNo, 'isresolved', 'status'),
    resolvedDate: field(read.instant, 'resolvedat', 'dateresolved'),
  },
  asset: {
    ...commonFields,
    name: field(read.name, 'title'),
    description: field(read.text, 'desc'),
    type: field(read.oneOf(assetTypes), 'assettype'),
    status: field(read.oneOf(operationalStatuses)),
    parcelId,
    installDate: field(read.day, 'installed', 'dateinstalled', 'installationdate'),
    lastMaintenance: field(read.day, 'lastmaintained', 'lastmaintenancedate'),
  },
  parcel: {
    ...commonFields,
    name: field(read.name, 'title', 'parcelname'),
    description: field(read.text, 'desc'),
    owner: field(read.name, 'ownername'),
    area: field(read.area, 'acres', 'acreage'),
    buildings: field(read.count, 'buildingcount'),
    purchaseDate: field(read.day),
    'zoning.type': field(read.name, 'zoning'),
    'zoning.restrictions': field(read.text),
    'taxInfo.annualAmount': field(read.number, 'annualtax'),
    'taxInfo.lastPaid': field(read.day, 'taxlastpaid'),
  },
}

/** Lower-case letters and digits alone: 'Last_Maintenance' and 'last maintenance' are the same column. */
export function plainName(column: string): string {
  return column.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
