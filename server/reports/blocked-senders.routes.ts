import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { blockedSenders, senderBlock } from '#domain/reports/report.schema.ts'
import type { Database } from '../database/database.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { blockSender, unblockSender } from './block-sender.commands.ts'
import { listBlocks } from './blocked-senders.queries.ts'
import { readReport } from './reports.queries.ts'
import { mapParams, reportParams, reportsPath, reportTags as tags } from './reports.routes.ts'

const editing = { access: 'editor' } as const
const schema = { tags, params: reportParams, response: { 204: z.null() } }
const path = `${reportsPath}/:id/block`

export const blockedSenderRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/blocked-senders', {
    config: editing,
    schema: {
      summary: 'List the senders of reports that are blocked',
      description: 'Each by the report for which it was blocked. Their addresses are not stored.',
      tags,
      params: mapParams,
      response: { 200: blockedSenders },
    },
    async handler({ params: { mapId } }, reply) {
      forOnePerson(reply)
      const blocks = await listBlocks(database.read, mapId, Date.now())
      const items = blocks.map(async ({ report_id: reportId, until, blocked_by: blockedBy }) => {
        const { number = 0, title = '' } = (await readReport(database.read, { mapId, id: reportId })) ?? {}
        return { reportId, number, title, until: new Date(until).toISOString(), blockedBy }
      })
      return { items: await Promise.all(items) }
    },
  })

  app.put(path, {
    config: editing,
    bodyLimit: 1024,
    schema: {
      summary: 'Block the sender of a report for some days',
      description:
        'Further reports from its network address are refused with an explanation. Replaces an earlier block.',
      ...schema,
      body: senderBlock,
    },
    async handler({ params, person, body }, reply) {
      await blockSender(database, { ...params, person }, body.days)
      reply.status(204)
      return null
    },
  })

  app.delete(path, {
    config: editing,
    schema: { summary: 'Remove the block of the sender of a report', ...schema },
    async handler({ params, person }, reply) {
      await unblockSender(database, { ...params, person })
      reply.status(204)
      return null
    },
  })
  done()
}
