import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasLink } from '#domain/reports/links.ts'
import type { SentReport } from '#domain/reports/report.schema.ts'
import { maxRequestsPerDay } from '#domain/subscriptions/subscriptions.ts'
import { counted } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import { mayRequest } from '../http/access.ts'
import { addressGroup } from '../http/address-group.ts'
import { hourlyLimits, type Refusal } from '../http/hourly-limits.ts'
import { ProblemError } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'
import { listBlocks } from './blocked-senders.queries.ts'
import { isDone } from './challenges.ts'
import { requireReportSecret } from './report-secrets.queries.ts'
import { readReportSettings } from './report-settings.queries.ts'
import { readReport } from './reports.queries.ts'

type Requested = { mapId: string; request: FastifyRequest }
type Arrival = Requested & { body: SentReport }
type Check = (arrival: Arrival) => Refusal | null | Promise<Refusal | null>

const leastSeconds = 3

const refused = (reason: string): Refusal => ({ status: 403, reason })
const again = 'Choose ‘Send again’ in the list of your reports.'

/** Returns functions that throw if a request looks like abuse, with an explanation. Protections that are only measured write to the log. */
export function protectReports(
  app: FastifyInstance,
  database: Database,
  options: Configuration['reportProtection'],
) {
  const { modes } = options
  const isBeyondLimit = hourlyLimits(app, 'report', options)
  const isBeyondChanges = hourlyLimits(app, 'change', options)
  const isTooMuchMail = limitRecipients(app)
  const checks = {
    honeypot: ({ body: { check } }) =>
      check.website === ''
        ? null
        : refused(`The field that must stay empty was filled, as programs that send spam do. ${again}`),
    time: ({ body: { check } }) =>
      check.secondsOnForm === null || check.secondsOnForm >= leastSeconds
        ? null
        : refused(
            `The report was sent within ${counted(leastSeconds, 'second')}, as programs that send spam do. ${again}`,
          ),
    work: async ({ mapId, body: { id, check } }) =>
      check.work && isDone(await requireReportSecret(database, mapId), id, check.work, Date.now())
        ? null
        : refused(
            'check.work: is missing, wrong or older than ten minutes. Request a challenge for each report and solve it.',
          ),
    limits: ({ request }) => isBeyondLimit(request),
  } satisfies Record<string, Check>
  const counts: Record<string, number> = {}

  function measure({ mapId, request }: Requested, protection: string, reason: string) {
    const count = (counts[protection] ?? 0) + 1
    counts[protection] = count
    request.log.warn({ mapId, protection, count }, `${reason} It is only measured.`)
  }

  async function refuseSender(mapId: string, sender: string) {
    const [block] = (await listBlocks(database.read, mapId, Date.now())).filter(
      (one) => one.sender === sender,
    )
    if (!block) return
    const day = new Date(block.until).toISOString().slice(0, 10)
    throw new ProblemError(
      403,
      `The association accepts no reports from this network until ${day}. Contact it, or try again then.`,
    )
  }

  /** For changes of reports. Staff are exempt. */
  async function refuseBlocked(request: FastifyRequest, mapId: string) {
    if (await mayRequest(request, 'staff', mapId)) return
    await refuseSender(mapId, await hashSender(database, mapId, request.ip))
  }

  async function isHeld(arrival: Arrival): Promise<boolean> {
    const { mapId, body } = arrival
    if (modes.links === 'off' || !hasLink(body.description)) return false
    const { settings } = await readReportSettings(database.read, mapId)
    if (settings.publication !== 'immediate') return false
    if (modes.links === 'measure') measure(arrival, 'links', 'A report with a link would wait for review.')
    return modes.links === 'enforce'
  }

  function refuse(reply: FastifyReply, { status, reason, retryAfterSeconds }: Refusal): never {
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    throw new ProblemError(status, reason)
  }

  /** Repeated requests and staff are exempt. Resolves to whether the report waits for review. */
  async function protect(request: FastifyRequest, reply: FastifyReply, mapId: string, body: SentReport) {
    if (await readReport(database.read, { mapId, id: body.id })) return { isHeld: false, sender: null }
    const sender = await hashSender(database, mapId, request.ip)
    if (await mayRequest(request, 'staff', mapId)) return { isHeld: false, sender }
    await refuseSender(mapId, sender)
    const arrival = { mapId, body, request }
    for (const [protection, check] of Object.entries(checks) as [keyof typeof checks, Check][]) {
      if (modes[protection] === 'off') continue
      const refusal = await check(arrival)
      if (!refusal) continue
      if (modes[protection] === 'measure') {
        measure(arrival, protection, refusal.reason)
        continue
      }
      refuse(reply, refusal)
    }
    if (body.email !== null) await isTooMuchMail(request, { mapId, email: body.email })
    return { isHeld: await isHeld(arrival), sender }
  }

  /** For changes that send an email to an address that a stranger may have entered. Staff are exempt. */
  async function limitMail(request: FastifyRequest, reply: FastifyReply, to: Recipient) {
    const { mapId } = to
    if (modes.limits === 'off' || (await mayRequest(request, 'staff', mapId))) return
    const refusal = (await isBeyondChanges(request)) ?? (await isTooMuchMail(request, to))
    if (!refusal) return
    if (modes.limits === 'enforce') refuse(reply, refusal)
    measure({ mapId, request }, 'limits', refusal.reason)
  }

  return { protect, refuseBlocked, limitMail }
}

type Recipient = { mapId: string; email: string }

/** Returns a function that counts an email to an address, and returns why it is one too many, if it is. */
function limitRecipients(app: FastifyInstance) {
  const recipients = new WeakMap<FastifyRequest, string>()
  const count = app.createRateLimit({
    max: maxRequestsPerDay,
    timeWindow: '1 day',
    keyGenerator: (request: FastifyRequest) => `recipient ${recipients.get(request)}`,
  })
  return async (request: FastifyRequest, { mapId, email }: Recipient): Promise<Refusal | null> => {
    recipients.set(request, `${mapId} ${email.toLowerCase()}`)
    const limit = await count(request)
    if (limit.isAllowed || !limit.isExceeded) return null
    const reason = `This address has received ${counted(maxRequestsPerDay, 'email')} about reports within a day, which is the limit. Try again tomorrow, or enter another address.`
    return { status: 429, reason, retryAfterSeconds: limit.ttlInSeconds }
  }
}

/** The address itself is never stored. */
async function hashSender(database: Database, mapId: string, ip: string): Promise<string> {
  const secret = await requireReportSecret(database, mapId)
  return createHmac('sha256', secret)
    .update(`sender ${addressGroup(ip)}`)
    .digest('hex')
    .slice(0, 32)
}
