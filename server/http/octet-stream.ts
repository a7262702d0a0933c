import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

export function acceptBytes(app: Pick<FastifyInstance, 'addContentTypeParser'>) {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (_request: unknown, bytes: Buffer, parsed: (error: null, body: Buffer) => void) => parsed(null, bytes),
  )
}

export const bytes = z
  .custom<Buffer>((body) => Buffer.isBuffer(body), 'must be application/octet-stream')
  .meta({ type: 'string', format: 'binary' })
