import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { changeId, featureId, mapId } from '#domain/values/common.schema.ts'
import {
  newWorkLink,
  type WorkLink,
  type WorkOrder,
  workLink,
  workLinkStep,
  workOrder,
} from '#domain/work/work.schema.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import { readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import type { FeatureColumns, WorkLinksTable } from '../database/tables.ts'
import { NotFoundError } from '../domain-error.ts'
import { toNewFeature } from '../features/rows/feature-row.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { readFilesOf } from '../files/files.queries.ts'
import { addPhotosByKey } from '../files/photos-by-key.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { isEqualText } from '../http/is-equal-text.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { Configuration } from '../settings/configuration.ts'
import { listNotes, toNote } from './notes.queries.ts'
import {
  addWorkLink,
  contractorOf,
  doneAtOf,
  isOpenLink,
  keyOfLink,
  revokeWorkLink,
  stepByLink,
} from './work-links.commands.ts'
import { listWorkLinks, readWorkLink } from './work-links.queries.ts'

const tags = ['work']
const editing = { access: 'editor' } as const
/** Contractors have no account. The key of their link stands for them. */
const working = { access: 'public' } as const
const incidentPath = '/api/maps/:mapId/incidents/:id/work-links'
const incidentParams = z.object({ mapId, id: featureId })
const path = '/api/maps/:mapId/work-links/:linkId'
const linkParams = z.object({ mapId, linkId: changeId })
const keyHeader = z.looseObject({
  'work-key': z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
    .meta({ description: 'The key of the work link' }),
})
const held = { tags, params: linkParams, headers: keyHeader, response: { 200: workOrder } }
const maxPhotos = 20

type KeyRequest = { params: z.output<typeof linkParams>; headers: z.output<typeof keyHeader> }

type Dependencies = {
  database: Database
  uploads: UploadReceiver
  store: BlobStore
  configuration: Pick<Configuration, 'publicUrl'>
}

export const workLinkRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, uploads, store, configuration: { publicUrl } },
  done,
) => {
  const toLink = (row: WorkLinksTable, incident: FeatureColumns | undefined): WorkLink => ({
    id: row.id,
    name: row.name,
    email: row.email,
    instructions: row.instructions,
    address: isOpenLink(row, Date.now()) ? addressOfLink(publicUrl, row) : null,
    createdAt: new Date(row.created_at).toISOString(),
    createdBy: row.created_by,
    expiresAt: new Date(row.expires_at).toISOString(),
    revokedAt: toInstant(row.revoked_at),
    doneAt: toInstant(doneAtOf(row, incident)),
    mailedAt: toInstant(row.mailed_at),
    mailProblem: row.mail_problem,
  })

  const readRow = async (mapId: string, id: string) => (await readRowsOf(database.read, mapId, [id])).get(id)

  async function requireLink({ params, headers }: KeyRequest): Promise<WorkLinksTable> {
    const row = await readWorkLink(database.read, { mapId: params.mapId, id: params.linkId })
    if (!row || !isEqualText(headers['work-key'], keyOfLink(row)) || !isOpenLink(row, Date.now()))
      throw new NotFoundError(
        'This link does not work. It may have expired: ask the association for a new one.',
      )
    await readIncident(row)
    return row
  }

  async function readIncident({ map_id: mapId, incident_id: id }: WorkLinksTable) {
    const row = await readRow(mapId, id)
    const incident = row && toNewFeature(row)
    if (!row || incident?.kind !== 'incident')
      throw new NotFoundError('The incident of this link is no longer on the map.')
    return { row, incident }
  }

  const photosOf = async ({ map_id, incident_id }: WorkLinksTable) =>
    (await readFilesOf(database.read, map_id, incident_id)).filter(
      ({ kind, removed_at }) => kind === 'photo' && removed_at === null,
    )

  async function toOrder(link: WorkLinksTable): Promise<WorkOrder> {
    const { map_id: mapId, incident_id: incidentId } = link
    const { row, incident } = await readIncident(link)
    const notes = await listNotes(database.read, { mapId, incidentIds: [incidentId] }, 'everything')
    const person = contractorOf(link)
    return {
      association: await readAssociation(database.read, mapId),
      name: link.name,
      instructions: link.instructions,
      expiresAt: new Date(link.expires_at).toISOString(),
      doneAt: toInstant(doneAtOf(link, row)),
      incident: {
        id: incidentId,
        title: incident.title,
        description: incident.description ?? '',
        type: incident.type ?? null,
        severity: incident.severity ?? null,
        place: { lat: row.lat, lng: row.lng },
        workState: incident.workState ?? null,
        due: incident.due ?? null,
      },
      photos: (await photosOf(link)).map(({ id, added_by_id }) => ({ id, isOwn: added_by_id === person.id })),
      notes: notes
        .filter(
          (note) => note.is_public === 1 || (note.source === 'contractor' && note.author === person.name),
        )
        .map((note) => toNote(note, false)),
    }
  }

  app.post(incidentPath, {
    config: editing,
    bodyLimit: 4 * 1024,
    schema: {
      summary: 'Create a link for a contractor without an account',
      description:
        'Its holder sees the incident with its photos, writes notes, adds photos and marks it done, for 14 days. The link is ' +
        'sent to the email address, if there is one.',
      tags,
      params: incidentParams,
      body: newWorkLink,
      response: { 201: workLink },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      refuseSample(mapId)
      const { person, body } = request
      forOnePerson(reply.status(201))
      const link = await addWorkLink(database, { mapId, incidentId: id, person }, body)
      return toLink(link, await readRow(mapId, id))
    },
  })

  app.get(incidentPath, {
    config: editing,
    schema: {
      summary: 'List the links for contractors of an incident, newest first',
      tags,
      params: incidentParams,
      response: { 200: z.object({ items: z.array(workLink) }) },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      forOnePerson(reply)
      const links = await listWorkLinks(database.read, { mapId, incidentId: id })
      const incident = await readRow(mapId, id)
      return { items: links.map((link) => toLink(link, incident)) }
    },
  })

  app.post(`${incidentPath}/:linkId/revoke`, {
    config: editing,
    bodyLimit: 1024,
    schema: {
      summary: 'Revoke a link for a contractor',
      tags,
      params: incidentParams.extend({ linkId: changeId }),
      response: { 200: workLink },
    },
    async handler(request, reply) {
      const { mapId, id, linkId } = request.params
      const { person } = request
      forOnePerson(reply)
      const link = await revokeWorkLink(database, { mapId, incidentId: id, id: linkId, person })
      return toLink(link, await readRow(mapId, id))
    },
  })

  app.get(path, {
    config: working,
    schema: { summary: 'Get the incident of a work link', ...held },
    async handler(request, reply) {
      const link = await requireLink(request)
      forOnePerson(reply)
      return toOrder(link)
    },
  })

  app.post(`${path}/steps`, {
    config: working,
    bodyLimit: 16 * 1024,
    schema: { summary: 'Write a note or change the progress by a work link', ...held, body: workLinkStep },
    async handler(request, reply) {
      const { mapId, linkId } = request.params
      await requireLink(request)
      forOnePerson(reply)
      return toOrder(await stepByLink(database, { mapId, id: linkId }, request.body))
    },
  })

  addPhotosByKey(app, {
    ...{ database, uploads, store, path, tags },
    params: linkParams,
    headers: keyHeader,
    link: 'a work link',
    maxPhotos,
    async open(request) {
      const link = await requireLink(request as KeyRequest)
      return { featureId: link.incident_id, person: contractorOf(link), files: await photosOf(link) }
    },
  })
  done()
}

const toInstant = (at: number | null) => (at === null ? null : new Date(at).toISOString())

export const addressOfLink = (publicUrl: string, link: WorkLinksTable) =>
  `${publicUrl}/work/${encodeURIComponent(link.map_id)}/${link.id}#${keyOfLink(link)}`
