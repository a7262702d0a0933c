import { isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { mapId } from '#domain/values/common.schema.ts'
import { FixableError } from '../domain-error.ts'
import { baseMapSettings, baseMapsOf } from './base-map-settings.ts'
import { fileStoreOf, fileStoreSettings, findFileStoreProblems } from './file-store-settings.ts'
import { hostNameOf } from './host-names.ts'
import { findIdentityProblems, identityOf, identitySettings } from './identity-settings.ts'
import { importLimitSettings, importLimitsOf } from './import-limits.ts'
import { findMailProblems, mailServerOf, mailSettings } from './mail-settings.ts'
import { insideReceiversOf, webhookSettings } from './webhook-settings.ts'

// The only reader of process.env. Every setting is described in docs/configuration.md (a test compares).

const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback)

const atLeastOne = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

const protection = z.enum(['off', 'measure', 'enforce']).default('enforce')

const isWebAddress = (url: string) => /^https?:\/\//.test(url) && URL.canParse(url)

/** Scheme, host and port only, without a path. */
const isWebOrigin = (url: string) => isWebAddress(url) && new URL(url).href === `${new URL(url).origin}/`

const hostsOf = (names = '') =>
  names
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => name.trim())
    .map((name) => (/:\d*$/.test(name.replace(/^\[.*\]/, '')) ? null : hostNameOf(name)))

/** PostgreSQL also accepts addresses without a host: those of a socket. */
const isPostgresAddress = (url: string) =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url.replace('@/', '@localhost/'))

export const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .string()
    .refine(isWebOrigin, 'must be an http(s) address without a path, such as https://land.example.org')
    .optional(),
  ALLOWED_HOSTS: z
    .string()
    .refine(
      (names) => hostsOf(names).every((name) => name !== null),
      'must be host names or addresses, separated by commas, without ports',
    )
    .optional(),
  DATA_DIR: z.string().default('data'),
  FILE_QUOTA_MB: atLeastOne(2048),
  ...importLimitSettings,
  ...fileStoreSettings,
  DATABASE_URL: z.string().refine(isPostgresAddress, 'must be a postgres:// address').optional(),
  DATABASE_READ_URL: z.string().refine(isPostgresAddress, 'must be a postgres:// address').optional(),
  PGPASSWORD: z.string().optional(),
  SAMPLE_DATA: z.enum(['on', 'off']).default('on'),
  DEFAULT_MAP_ID: mapId.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  TRUSTED_PROXIES: count(0),
  RATE_LIMIT_PER_MINUTE: atLeastOne(1200),
  TOKEN_RATE_LIMIT_PER_MINUTE: atLeastOne(600),
  REPORTS_PER_HOUR: atLeastOne(5),
  REPORTS_PER_HOUR_OF_MAP: atLeastOne(60),
  REPORT_LIMITS: protection,
  REPORT_HONEYPOT: protection,
  REPORT_MIN_TIME: protection,
  REPORT_PROOF_OF_WORK: protection,
  REPORT_LINKS: protection,
  MAX_CONNECTIONS: atLeastOne(4000),
  MAX_CONNECTIONS_PER_ADDRESS: atLeastOne(500),
  MAX_EVENT_STREAMS: atLeastOne(2000),
  MAX_EVENT_STREAMS_PER_ADDRESS: atLeastOne(200),
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).max(1440).default(480),
  ...identitySettings,
  STOP_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  SERVERS: z.coerce.number().int().min(1).max(64).default(1),
  TILE_WORKERS: z.coerce.number().int().min(1).max(64).optional(),
  ...baseMapSettings,
  ...webhookSettings,
  ...mailSettings,
})
type Settings = z.infer<typeof settingsSchema>

export type Configuration = ReturnType<typeof configurationOf>

function configurationOf(settings: Settings) {
  const dataDirectory = resolve(settings.DATA_DIR)
  const publicUrl = new URL(settings.PUBLIC_URL ?? ownAddress(settings)).origin
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    isPublicUrlSet: settings.PUBLIC_URL !== undefined,
    allowedHosts: hostsOf(settings.ALLOWED_HOSTS).filter((name) => name !== null),
    identity: identityOf(settings, publicUrl),
    dataDirectory,
    fileStore: fileStoreOf(settings),
    fileQuotaBytes: settings.FILE_QUOTA_MB * 1024 * 1024,
    importLimits: importLimitsOf(settings),
    databaseUrl: withPassword(settings.DATABASE_URL, settings.PGPASSWORD),
    databaseReadUrl: withPassword(settings.DATABASE_READ_URL, settings.PGPASSWORD),
    hasSampleData: settings.SAMPLE_DATA === 'on',
    defaultMapId: settings.DEFAULT_MAP_ID,
    logLevel: settings.LOG_LEVEL,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxConnections: Math.ceil(settings.MAX_CONNECTIONS / settings.SERVERS),
    maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    maxEventStreams: Math.ceil(settings.MAX_EVENT_STREAMS / settings.SERVERS),
    maxEventStreamsPerAddress: settings.MAX_EVENT_STREAMS_PER_ADDRESS,
    sessionIdleMs: settings.SESSION_IDLE_MINUTES * 60_000,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    tokenRateLimitPerMinute: settings.TOKEN_RATE_LIMIT_PER_MINUTE,
    reportProtection: {
      ofAddress: settings.REPORTS_PER_HOUR,
      ofMap: settings.REPORTS_PER_HOUR_OF_MAP,
      modes: {
        limits: settings.REPORT_LIMITS,
        honeypot: settings.REPORT_HONEYPOT,
        time: settings.REPORT_MIN_TIME,
        work: settings.REPORT_PROOF_OF_WORK,
        links: settings.REPORT_LINKS,
      },
    },
    stopDelayMs: settings.STOP_DELAY_SECONDS * 1_000,
    servers: settings.SERVERS,
    tileWorkers:
      settings.TILE_WORKERS ??
      Math.max(1, Math.floor(Math.min(4, availableParallelism() - 1) / settings.SERVERS)),
    ...baseMapsOf(settings, dataDirectory),
    insideReceivers: insideReceiversOf(settings),
    mailServer: mailServerOf(settings),
    dkimSelector: settings.MAIL_DKIM_SELECTOR ?? null,
    bouncesSecret: settings.MAIL_BOUNCES_SECRET ?? null,
  }
}

/** Child processes and threads get the password with the address: their environment has no secrets. */
function withPassword(url: string | undefined, password: string | undefined): string | undefined {
  const hasPassword = url !== undefined && /^[^/]+:\/\/[^/@]*:[^/@]*@|[?&]password=/.test(url)
  if (!url || !password || hasPassword) return url
  return `${url}${url.includes('?') ? '&' : '?'}password=${encodeURIComponent(password)}`
}

/** Default of PUBLIC_URL: the address that the server listens on, or this machine. */
function ownAddress({ HOST, PORT }: Settings): string {
  const address = `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`
  const isOne = !['127.0.0.1', '::1', '0.0.0.0', '::'].includes(HOST) && URL.canParse(address)
  return isOne ? address : `http://localhost:${PORT}`
}

/** Ignores blank settings. Throws an Error that names each invalid setting and its valid values. */
export function readConfiguration(environment: Record<string, string | undefined>): Configuration {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const settings = settingsSchema.safeParse(Object.fromEntries(given))
  refuse(settings.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const good = settings.data as Settings
  const problems = [...findIdentityProblems(good), ...findFileStoreProblems(good), ...findMailProblems(good)]
  refuse(problems.map(({ setting, message }) => `${setting}: ${message}`))
  return configurationOf(good)
}

function refuse(problems: string[] = []) {
  if (problems.length === 0) return
  throw new FixableError(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}
