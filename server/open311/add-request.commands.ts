import { randomBytes, randomUUID } from 'node:crypto'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database } from '../database/database.ts'
import { RefusedError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { publishAtOnce } from '../reports/publish-report.commands.ts'
import { addReport, reporterOf } from '../reports/reports.commands.ts'
import type { NewRequest } from './open311.schema.ts'
import { requireServiceCode } from './services.ts'

type Arrival = { mapId: string; sendsMail: boolean; uploads: UploadReceiver; signal: AbortSignal }

/** Adds a report as the form of the page does, or nothing if a photo is refused. Returns its id. */
export async function addRequest(
  database: Database,
  { mapId, sendsMail, uploads, signal }: Arrival,
  request: NewRequest,
): Promise<string> {
  if (request.service_code === undefined) throw new RefusedError('service_code', 'is required')
  const type = requireServiceCode(request.service_code)
  const place = await readPlace(database, mapId, request)
  const addPhotosTo = await uploads.takePhotos(mapId, request.media ?? [], signal)
  const report = await addReport(
    database,
    { mapId, sendsMail },
    {
      id: randomUUID(),
      key: randomBytes(32).toString('hex'),
      type,
      place,
      description: request.description ?? '',
      email: request.email ?? null,
      accuracyMeters: null,
      assetId: null,
      sameAs: null,
      secondsAgo: 0,
    },
    commentOf(request),
  )
  await addPhotosTo(report.id, reporterOf(report.id))
  return (await publishAtOnce(database, report)).id
}

async function readPlace(
  { read }: Database,
  mapId: string,
  { lat, long: lng, address_id: parcelId, address_string: address }: NewRequest,
): Promise<LatLng> {
  if (lat !== undefined && lng !== undefined) return { lat, lng }
  if (lat !== undefined || lng !== undefined)
    throw new RefusedError(lat === undefined ? 'lat' : 'long', 'is required')
  if (parcelId === undefined)
    throw address === undefined
      ? new RefusedError('lat', 'and long are required, or address_id')
      : new RefusedError(
          'address_string',
          'cannot be located by this server. Send lat and long, or address_id',
        )
  const parcel = (await readRowsOf(read, mapId, [parcelId])).get(parcelId)
  if (parcel?.kind !== 'parcel')
    throw new RefusedError('address_id', 'must be the id of a parcel on this map')
  return { lat: parcel.lat, lng: parcel.lng }
}

function commentOf({ media_url: link, address_string: address }: NewRequest): string {
  return [address && `Address: ${address}`, link && `Media: ${link}`].filter(Boolean).join('\n')
}
