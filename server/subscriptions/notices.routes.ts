import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { noticeContent, noticeMeters, noticeReach } from '#domain/subscriptions/notice.schema.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { ConflictError, RefusedError } from '../domain-error.ts'
import { selectFeatures, selection } from '../features/bulk/select-features.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { Configuration } from '../settings/configuration.ts'
import { chooseOnePerAddress } from './covers-incident.ts'
import { countParcels, findSubscribers, readArea } from './notice-area.ts'
import { NoticeLimitError, sendNotice } from './notices.commands.ts'

const tags = ['subscriptions']
const bodyLimit = 2 * 1024 * 1024
const path = '/api/maps/:mapId/notices'
const params = z.object({ mapId })
const area = z.strictObject({ ...selection, meters: noticeMeters })

type Dependencies = { database: Database; configuration: Pick<Configuration, 'mailServer'> }

export const noticeRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { mailServer } },
  done,
) => {
  async function selectArea(caller: QueueClient, { meters, ...input }: z.infer<typeof area>) {
    const { items } = await selectFeatures(database, caller, input)
    return readArea(database, caller.mapId, { ids: items.map(({ id }) => id), meters })
  }

  app.post(`${path}/preview`, {
    config: { access: 'editor', onlyReads: true },
    bodyLimit,
    schema: {
      summary: 'Count the parcels of an area and the people who get notices for it',
      tags,
      params,
      body: area,
      response: { 200: noticeReach },
    },
    async handler(request, reply) {
      const caller = { mapId: request.params.mapId, signal: disconnectSignal(reply) }
      const selected = await selectArea(caller, request.body)
      const subscribers = await findSubscribers(database, caller, selected)
      forOnePerson(reply)
      return {
        parcels: await countParcels(database, caller, selected),
        people: chooseOnePerAddress(subscribers).length,
      }
    },
  })

  app.post(path, {
    config: { access: 'editor' },
    bodyLimit,
    schema: {
      summary: 'Send a notice to the people of an area',
      description:
        'The area is that of the selected features. Sends one email to each address whose subscription covers it and ' +
        'agreed to notices. At most five an hour. Repeating the request with the same id has no effect.',
      tags,
      params,
      body: area.extend({
        id: changeId.meta({ description: 'Set by the client, such as a random UUID' }),
        ...noticeContent,
      }),
      response: { 202: noticeReach.pick({ people: true }) },
    },
    async handler(request, reply) {
      const { id, subject, message, ...selected } = request.body
      const { mapId } = request.params
      refuseSample(mapId, 'choose the map of an association to send notices.')
      if (mailServer === null) throw new ConflictError('This server is not set up to send email.')
      const caller = { mapId, signal: disconnectSignal(reply) }
      const area = await selectArea(caller, selected)
      if (area.features.length === 0) throw new RefusedError('ids', 'select no features on this map')
      const covering = await findSubscribers(database, caller, area)
      const notice = { mapId, id, person: request.person, subject, message }
      try {
        const { recipients } = await sendNotice(database, notice, covering)
        reply.status(202)
        return { people: recipients }
      } catch (error) {
        if (error instanceof NoticeLimitError) throw new ProblemError(429, error.message)
        throw error
      }
    },
  })

  done()
}
