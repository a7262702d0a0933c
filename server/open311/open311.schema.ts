import { z } from 'zod'
import { maxPhotosOfReport, maxReportDescription } from '#domain/reports/report-states.ts'
import { featureId, mapId, text } from '#domain/values/common.schema.ts'
import { isWebAddress } from '#domain/values/text.ts'
import type { SentPhoto } from '../files/receive-upload.ts'
import { numberText } from '../http/page-parameters.ts'
import { formats } from './answers.ts'

export const formatParams = z.object({ mapId, format: z.enum(formats) })
export const serviceParams = z.object({ mapId, code: z.string(), format: z.enum(formats) })
export const requestParams = z.object({
  mapId,
  id: z.string().meta({ description: 'The service_request_id' }),
  format: z.enum(formats),
})

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** An empty argument is the same as a missing one. */
const optional = <Schema extends z.ZodType>(schema: Schema, description?: string) =>
  z
    .preprocess((value) => (isBlank(value) ? undefined : value), schema.optional())
    .optional()
    .meta(description === undefined ? {} : { description })

const maxQueryLength = 8_000
const argument = (description: string) => optional(z.string().max(maxQueryLength), description)

const jurisdiction = argument('Not needed: each association has its own address. If given, the id of the map')

// Other arguments are ignored, as extensions of clients are common.
export const jurisdictionQuery = z.object({ jurisdiction_id: jurisdiction })

export const requestsQuery = jurisdictionQuery.extend({
  service_request_id: argument('Ids, separated by commas. Overrides all other arguments'),
  service_code: argument('Codes, separated by commas'),
  status: argument('`open`, `closed`, or both, separated by a comma'),
  start_date: argument(
    'Earliest `requested_datetime`, such as 2026-05-24T00:00:00Z. At most 90 days before the end',
  ),
  end_date: argument('Latest `requested_datetime`. Now by default, or 90 days after the start'),
})
export type RequestsQuery = z.output<typeof requestsQuery>

const coordinate = (limit: number) => numberText(z.number().min(-limit).max(limit))

const apiKey = optional(
  z.string().max(200),
  'An access token for this map with the scope `write`. It may be in the query, or in the header `Authorization`',
)

/** A wrong key in the query is refused before the body is read. */
export const newRequestQuery = jurisdictionQuery.extend({ api_key: apiKey })

const newRequestFields = {
  jurisdiction_id: jurisdiction,
  api_key: apiKey,
  service_code: optional(z.string().max(200), 'Required'),
  lat: optional(coordinate(90), 'WGS 84. With `long`, or `address_id` instead'),
  long: optional(coordinate(180)),
  address_id: optional(featureId, 'Id of a parcel'),
  address_string: optional(text(300), 'Only with a location. For staff'),
  description: optional(text(maxReportDescription), 'Public once staff accept the report'),
  email: optional(z.email('must be an email address').max(254), 'For answers only. Never public'),
  media_url: optional(
    text(1_000).refine(isWebAddress, 'must be a web address'),
    'A link for staff. The server does not follow it',
  ),
  media: optional(
    z
      .array(
        z
          .custom<SentPhoto>((value) => Buffer.isBuffer((value as Partial<SentPhoto>)?.bytes))
          .meta({ type: 'string', format: 'binary' }),
        'must be a file in multipart/form-data',
      )
      .max(maxPhotosOfReport, `a report can have at most ${maxPhotosOfReport} photos`),
    'Photos, only in `multipart/form-data`. Staff publish them. Also as `media[]` or `photo`',
  ),
}

/** Ignores names, phone numbers and other fields, which are not stored. */
export const newRequest = z.object(newRequestFields)
export type NewRequest = z.output<typeof newRequest>

const line = z.string().nullable()

export const discovery = z.object({
  changeset: z.string(),
  contact: z.string(),
  key_service: z.string(),
  endpoints: z.array(
    z.object({
      specification: z.string(),
      url: z.string(),
      changeset: z.string(),
      type: z.enum(['production', 'test']),
      formats: z.array(z.string()),
    }),
  ),
})

export const serviceList = z.array(
  z.object({
    service_code: z.string(),
    service_name: z.string(),
    description: z.string(),
    metadata: z.boolean(),
    type: z.literal('realtime'),
    keywords: line,
    group: line,
  }),
)

export const serviceDefinition = z.object({ service_code: z.string(), attributes: z.array(z.unknown()) })

export const serviceRequests = z.array(
  z.object({
    service_request_id: z.string(),
    status: z.enum(['open', 'closed']),
    status_notes: line,
    service_name: z.string(),
    service_code: z.string(),
    description: line,
    agency_responsible: line,
    service_notice: line,
    requested_datetime: z.string(),
    updated_datetime: z.string(),
    expected_datetime: line,
    address: line,
    address_id: line,
    zipcode: line,
    lat: z.number(),
    long: z.number(),
    media_url: line,
  }),
)
export type ServiceRequest = z.output<typeof serviceRequests>[number]

export const createdRequests = z.array(
  z.object({ service_request_id: z.string(), service_notice: line, account_id: line }),
)

export const errors = z.array(z.object({ code: z.number().int(), description: z.string() }))

export const described = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema }, 'text/xml': { schema: z.string() } },
})
