import { realpath } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import send from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import { FixableError } from '../domain-error.ts'
import { answerNotFound } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'

export async function registerBaseMapFiles(
  app: FastifyInstance,
  { dataDirectory, baseMapFiles, rateLimitPerMinute }: Configuration,
) {
  for (const { setting, path } of Object.values(baseMapFiles)) {
    const found = await findFile(path, dataDirectory)
    if (found === 'outside')
      throw new FixableError(
        `${setting}: ${path} is outside of DATA_DIR (${dataDirectory}). Move the file there.`,
      )
    if (found === null)
      app.log.warn(`${setting}: there is no file ${path}. The base map is off until the file exists.`)
  }

  app.get<{ Params: { name: string } }>('/base-maps/:name', {
    schema: { hide: true },
    config: { rateLimit: { max: rateLimitPerMinute * 5 } },
    compress: false,
    async handler(request, reply) {
      const { name } = request.params
      const file = Object.hasOwn(baseMapFiles, name) ? baseMapFiles[name] : undefined
      const path = file && (await findFile(file.path, dataDirectory))
      if (!path || path === 'outside') return answerNotFound(request, reply)
      const { statusCode, headers, stream } = await send(
        request.raw,
        encodeURI(path.slice(dirname(path).length)),
        {
          root: dirname(path),
          cacheControl: false,
          dotfiles: 'allow',
        },
      )
      return reply
        .status(statusCode)
        .headers({ ...headers, 'cache-control': 'no-cache', 'content-type': 'application/vnd.pmtiles' })
        .send(stream)
    },
  })
}

async function findFile(path: string, dataDirectory: string): Promise<string | 'outside' | null> {
  try {
    const [file, directory] = await Promise.all([realpath(path), realpath(dataDirectory)])
    return file.startsWith(`${directory}${sep}`) ? file : 'outside'
  } catch {
    return null
  }
}
