import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { maxFileBytes } from '#domain/files/file.schema.ts'
import { maxPhotosOfReport } from '#domain/reports/report-states.ts'
import { readClientOfMap } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import { NotAnsweredError } from '../domain-error.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { addressGroup } from '../http/address-group.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { originOf } from '../http/origin.ts'
import { parseForm } from '../http/parse-form.ts'
import { badParameter, notFound, ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { addRequest } from './add-request.commands.ts'
import { sendContent, sendProblemAsErrors } from './answers.ts'
import {
  createdRequests,
  described,
  discovery,
  errors,
  formatParams,
  jurisdictionQuery,
  newRequest,
  newRequestQuery,
  requestParams,
  requestsQuery,
  serviceDefinition,
  serviceList,
  serviceParams,
  serviceRequests,
} from './open311.schema.ts'
import { findRequests, listRequests } from './requests.ts'
import { requireServiceCode, servicesOf } from './services.ts'

const path = '/api/maps/:mapId/open311/v2'
const tags = ['open311']
/** When these routes last changed, for clients that cache their description. */
const changeset = '2026-11-29T21:00:00Z'

const maxTextBytes = 64 * 1024
const maxFormBytes = maxPhotosOfReport * maxFileBytes + maxTextBytes
/** Of all forms with photos: they are in memory until they are answered. */
const maxFormBytesAtOnce = 2 * maxFormBytes
const formType = 'multipart/form-data'
const photoFields = ['media', 'media[]', 'photo']

type Dependencies = { database: Database; uploads: UploadReceiver; configuration: Configuration }

/** Open311 GeoReport v2 (https://wiki.open311.org/GeoReport_v2/): docs/connecting.md. */
export const open311Routes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, uploads, configuration },
  done,
) => {
  app.addHook('onSend', sendProblemAsErrors)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxTextBytes },
    (_request, body: string, ready) => ready(null, Object.fromEntries(new URLSearchParams(body))),
  )
  app.addContentTypeParser(
    formType,
    { parseAs: 'buffer', bodyLimit: maxFormBytes },
    async ({ headers }: FastifyRequest, body: Buffer) => readForm(body, headers['content-type']),
  )
  const config = { access: 'public' } as const
  const failed = { default: described('Errors', errors) }

  const readClient = (mapId: string) => readClientOfMap(database.read, mapId)

  app.get(`${path}/discovery.:format`, {
    config,
    schema: {
      summary: 'Describe this Open311 server',
      description: 'Open311 GeoReport v2. The base address is that of this route, without `/discovery`.',
      tags,
      params: formatParams,
      querystring: jurisdictionQuery,
      response: { 200: described('The description', discovery), ...failed },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      requireJurisdiction(mapId, request.query)
      const origin = originOf(request, configuration)
      const client = await readClient(mapId)
      const { name, phone, email, website } = client?.contact ?? {}
      return sendContent(request, reply, 'discovery', {
        changeset,
        contact: [client?.name, name, phone, email, website ?? `${origin}/map/${mapId}`]
          .filter(Boolean)
          .join(', '),
        key_service: `Staff of the association create access tokens with the scope 'write' at ${origin}.`,
        endpoints: [
          {
            specification: 'http://wiki.open311.org/GeoReport_v2',
            url: `${origin}${path.replace(':mapId', mapId)}`,
            changeset,
            type: mapId === sampleMapId ? 'test' : 'production',
            formats: ['text/xml', 'application/json'],
          },
        ],
      })
    },
  })

  app.get(`${path}/services.:format`, {
    config,
    schema: {
      summary: 'List the types of problems',
      tags,
      params: formatParams,
      querystring: jurisdictionQuery,
      response: { 200: described('The services', serviceList), ...failed },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      requireJurisdiction(mapId, request.query)
      const { settings } = await readReportSettings(database.read, mapId)
      return sendContent(request, reply, 'services', servicesOf(settings))
    },
  })

  app.get(`${path}/services/:code.:format`, {
    config,
    schema: {
      summary: 'Get the attributes of a type of problems',
      description: 'There are none.',
      tags,
      params: serviceParams,
      querystring: jurisdictionQuery,
      response: { 200: described('The definition', serviceDefinition), ...failed },
    },
    async handler(request, reply) {
      const { mapId, code } = request.params
      requireJurisdiction(mapId, request.query)
      const definition = { service_code: requireServiceCode(code), attributes: [] }
      return sendContent(request, reply, 'service_definition', definition)
    },
  })

  app.get(`${path}/requests.:format`, {
    config,
    schema: {
      summary: 'List service requests: the incidents that visitors see',
      description:
        'Newest first, at most 1,000 within 90 days; the last 90 days by default. Reports are listed once staff accept them. ' +
        'Duplicates are closed, with the id of the other request in `status_notes`.',
      tags,
      params: formatParams,
      querystring: requestsQuery,
      response: { 200: described('The service requests', serviceRequests), ...failed },
    },
    async handler(request, reply) {
      requireJurisdiction(request.params.mapId, request.query)
      const found = await listRequests(database, await readContext(request), request.query)
      return sendContent(request, reply, 'service_requests', found)
    },
  })

  app.get(`${path}/requests/:id.:format`, {
    config,
    schema: {
      summary: 'Get one service request, as a list',
      tags,
      params: requestParams,
      querystring: jurisdictionQuery,
      response: { 200: described('The service request', serviceRequests), ...failed },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      requireJurisdiction(mapId, request.query)
      const found = await findRequests(database, await readContext(request), [id])
      if (found.length === 0)
        throw notFound(
          `service_request_id: '${id}' was not found. Reports are listed once staff accept them.`,
        )
      return sendContent(request, reply, 'service_requests', found)
    },
  })

  app.post(`${path}/requests.:format`, {
    // The key authorizes the request; the session is never used.
    config: { ...config, isFromAnywhere: true },
    preParsing: [admitKeyOfQuery, limitForms()],
    schema: {
      summary: 'Report a problem',
      description:
        'The report waits for review, as one from the page does. Needs `lat` and `long`, or `address_id`. Other fields, such ' +
        'as names and phone numbers, are not stored.',
      tags,
      consumes: ['application/x-www-form-urlencoded', formType, 'application/json'],
      params: formatParams,
      querystring: newRequestQuery,
      body: newRequest,
      response: { 200: described('The id of the report', createdRequests), ...failed },
    },
    async handler(request, reply) {
      const { body } = request
      const { mapId } = request.params
      requireJurisdiction(mapId, request.query)
      requireJurisdiction(mapId, body)
      if (body.api_key !== undefined) await request.admitKey(reply, body.api_key)
      if (request.token === null) throw keyRequired()
      refuseSample(mapId, 'choose the map of an association to report a problem.')
      const sendsMail = configuration.mailServer !== null
      const signal = disconnectSignal(reply)
      const id = await addRequest(database, { mapId, sendsMail, uploads, signal }, body)
      const created = { service_request_id: id, service_notice: null, account_id: null }
      return sendContent(request, reply, 'service_requests', [created])
    },
  })

  async function readContext(request: FastifyRequest<{ Params: { mapId: string } }>) {
    const { mapId } = request.params
    return {
      mapId,
      agency: (await readClient(mapId))?.name ?? mapId,
      origin: originOf(request, configuration),
    }
  }

  done()
}

function requireJurisdiction(
  mapId: string,
  { jurisdiction_id: id = mapId }: { jurisdiction_id?: string | undefined },
) {
  if (id !== mapId)
    throw notFound(`jurisdiction_id: was not found. It can be omitted, or must be '${mapId}'.`)
}

/** Files of other fields are ignored, as other fields are. So is an empty input of a web page. */
async function readForm(body: Buffer, contentType?: string) {
  const parts = await parseForm(body, contentType)
  const media = parts
    .filter(({ field, bytes }) => photoFields.includes(field) && bytes.length > 0)
    .map(({ field, fileName, bytes }) => ({ field, name: fileName || 'photo', bytes }))
  const texts = parts.filter(({ field, fileName }) => !photoFields.includes(field) && fileName === null)
  const long = texts.find(({ bytes }) => bytes.length > maxTextBytes)
  if (long) throw badParameter('body', long.field, 'is too long')
  return {
    ...Object.fromEntries(texts.map(({ field, bytes }) => [field, bytes.toString()])),
    ...(media.length > 0 ? { media } : {}),
  }
}

const keyRequired = () =>
  new ProblemError(403, 'api_key: is required. Staff of the association create access tokens.')

/** Refuses a request with a wrong key before its body is read. */
async function admitKeyOfQuery(request: FastifyRequest, reply: FastifyReply) {
  const { api_key: key } = request.query as { api_key?: unknown }
  if (key === undefined) return
  if (typeof key !== 'string' || key === '') throw keyRequired()
  await request.admitKey(reply, key)
}

/** The key may be in the body, so anyone may send these bytes. */
function limitForms() {
  let bytesAtOnce = 0
  const senders = new Set<string>()
  return async ({ headers, ip }: FastifyRequest, reply: FastifyReply) => {
    if (!headers['content-type']?.toLowerCase().startsWith(formType)) return
    const length = headers['content-length']
    if (length === undefined) throw new ProblemError(411, 'A form needs the header Content-Length.')
    const sender = addressGroup(ip)
    if (senders.has(sender))
      throw new ProblemError(429, 'Your network is already sending a form. Send one at a time.')
    const bytes = Math.min(Number(length), maxFormBytes)
    if (bytesAtOnce + bytes > maxFormBytesAtOnce) throw new NotAnsweredError('full')
    bytesAtOnce += bytes
    senders.add(sender)
    reply.raw.once('close', () => {
      bytesAtOnce -= bytes
      senders.delete(sender)
    })
  }
}
