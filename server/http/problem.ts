import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Issue, maxFaults } from '#domain/values/parse-bounded.ts'
import { shorten } from '#domain/values/text.ts'
import { type Outage, outageOf, outageWords } from '../database/outage.ts'
import {
  BusyError,
  DomainError,
  type DomainErrorKind,
  RefusedError,
  VersionMismatchError,
} from '../domain-error.ts'
import { html } from './html.ts'
import { InvalidRequestError } from './parse-request.ts'
import { isForPerson, type PlainPage, sendPage } from './plain-page.ts'

/** RFC 9457. `errors` names invalid parameters or fields. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  errors: z
    .array(
      z.object({
        in: z.string(),
        name: z.string(),
        message: z.string(),
        at: z.object({ lat: z.number(), lng: z.number() }).optional(),
      }),
    )
    .optional(),
  current: z.unknown().optional(),
})
export type Problem = z.infer<typeof problem>

export const problemContentType = 'application/problem+json; charset=utf-8'

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  411: 'Length required',
  412: 'Version conflict',
  413: 'Request too large',
  414: 'URL too long',
  415: 'Unsupported media type',
  421: 'Wrong address',
  422: 'Key already used',
  428: 'Version required',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
  507: 'Disk full',
}

/** For routes. Commands and queries throw a DomainError. */
export class ProblemError extends Error {
  readonly status: number
  readonly errors: Problem['errors']
  readonly current: unknown
  constructor(status: number, detail: string, errors?: Problem['errors'], current?: unknown) {
    super(detail)
    this.status = status
    this.errors = errors
    this.current = current
  }
}

export class RightsError extends ProblemError {
  readonly personId: string
  constructor(personId: string, detail: string) {
    super(403, detail)
    this.personId = personId
  }
}

export function notFound(what: string): ProblemError {
  return new ProblemError(404, what)
}

export function badParameter(part: 'query' | 'path' | 'body', name: string, message: string): ProblemError {
  return new ProblemError(400, `${name}: ${message}`, [{ in: part, name, message }])
}

export function sendProblem(reply: FastifyReply, status: number, rest: Partial<Problem> = {}) {
  if (isForPerson(reply.request) && reply.cspNonce) return sendPage(reply, status, problemPage(status, rest))
  const body: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    instance: reply.request.url.slice(0, 2_000).toWellFormed(),
    ...rest,
  }
  return reply.status(status).header('content-type', problemContentType).send(JSON.stringify(body))
}

function problemPage(status: number, { detail = '' }: Partial<Problem>): PlainPage {
  const title = titles[status] ?? 'Error'
  const mayPass = status === 429 || status >= 500
  const content = html`<h1>${title}</h1>
<p>${detail}</p>
<p class="ways">
${mayPass && html`<a class="button primary" href="">Try again</a>`}
<a class="button" href="/">Go to the map</a>
</p>`
  return { title, content }
}

const partOfContext: Record<string, string> = {
  querystring: 'query',
  params: 'path',
  body: 'body',
  headers: 'header',
}

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ProblemError)
    return sendProblem(reply, error.status, {
      detail: error.message,
      errors: error.errors,
      current: error.current,
    })
  if (error instanceof InvalidRequestError) {
    const part = partOfContext[error.validationContext ?? ''] ?? 'request'
    const errors = error.issues.map((issue) => ({
      in: part,
      name: shorten(issue.path.join('.') || unknownKeys(issue) || part),
      message: shorten(issue.message),
    }))
    const detail = errors.map(({ name, message }) => `${name}: ${message}`).join('; ')
    return sendProblem(reply, 400, { detail, errors })
  }
  if (error instanceof DomainError) return answerDomainError(error, reply)
  // Its connection closed; that looks like a lost connection to the database.
  if (error === request.raw.errored)
    return sendProblem(reply, 400, { detail: 'The connection closed before the request was complete.' })
  const outage = outageOf(error)
  if (outage) return answerOutage(outage, error, request, reply)
  const status = error.statusCode ?? 500
  if (status < 500) return sendProblem(reply, status, { detail: error.message })
  request.log.error({ err: error }, 'request failed')
  return sendProblem(reply, status, { detail: 'Something went wrong on our side.' })
}

const statusOfKind: Record<DomainErrorKind, number> = {
  'not-found': 404,
  conflict: 409,
  'key-reused': 422,
  refused: 400,
  'version-mismatch': 412,
  busy: 503,
}

function answerDomainError(error: DomainError, reply: FastifyReply) {
  const rest: Partial<Problem> = { detail: error.message }
  if (error instanceof RefusedError)
    rest.errors = error.fields.map(({ field, reason, at }) => ({
      in: 'body',
      name: field,
      message: reason,
      ...(at ? { at } : {}),
    }))
  if (error instanceof VersionMismatchError) rest.current = error.current
  if (error instanceof BusyError) {
    reply.header('retry-after', '5')
    if (error.cause) reply.request.log.warn({ err: error.cause }, error.message)
  }
  return sendProblem(reply, statusOfKind[error.kind], rest)
}

function answerOutage(outage: Outage, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const detail = outageWords[outage]
  if (outage === 'full' || outage === 'filesFull') {
    request.log.error(
      { err: error },
      `the disk ${outage === 'full' ? 'of the database' : 'for files'} is full`,
    )
    return sendProblem(reply, 507, { detail })
  }
  request.log.warn({ err: error }, outage === 'busy' ? 'database is busy' : 'database is unavailable')
  return sendProblem(reply.header('retry-after', '2'), 503, { detail })
}

const unknownKeys = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ? issue.keys.slice(0, maxFaults).join(', ') : undefined

export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return sendProblem(reply, 404, { detail: 'Page not found.' })
}

export function registerErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError>(answerError)
}

const statusOfSocketError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = statusOfSocketError[error.code ?? ''] ?? 400
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: 'about:blank', title, status } satisfies Problem)
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${problemContentType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  else socket.destroy()
}
