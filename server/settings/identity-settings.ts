import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isLoopback, isLoopbackHost } from './host-names.ts'

export const identitySettings = {
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  OIDC_CLIENT_AUTHENTICATION: z
    .enum(['client_secret_basic', 'client_secret_post'])
    .default('client_secret_basic'),
  OIDC_SCOPE: z
    .string()
    .refine(
      (scope) => scope.split(' ').includes('openid'),
      'must be words separated by spaces, including openid',
    )
    .default('openid profile email'),
  OIDC_ROLES_CLAIM: z.string().optional(),
  NODE_ENV: z
    .string()
    .transform((word) => word.trim().toLowerCase())
    .optional(),
}

const identityObject = z.object({
  ...identitySettings,
  HOST: z.string(),
  PUBLIC_URL: z.string().optional(),
  PORT: z.number(),
})
type IdentitySettings = z.infer<typeof identityObject>

export type OidcIdentity = {
  kind: 'oidc'
  issuer: string
  clientId: string
  clientSecret: string | null
  clientAuthentication: 'client_secret_basic' | 'client_secret_post'
  scope: string
  /** Null makes every user of the provider an administrator. */
  rolesClaim: string | null
}
export type Identity =
  | OidcIdentity
  | { kind: 'demo' }
  /** `why` names the setting that prevents the demo provider. */
  | { kind: 'none'; why: string }

export function findIdentityProblems(settings: IdentitySettings): { setting: string; message: string }[] {
  const problems: [isWrong: boolean, setting: string, message: string][] = []
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_SECRET_FILE: file } = settings
  if (issuer === undefined) {
    for (const name of [
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_CLIENT_SECRET_FILE',
      'OIDC_ROLES_CLAIM',
    ] as const)
      problems.push([settings[name] !== undefined, name, 'requires OIDC_ISSUER'])
  } else {
    const { protocol, search, hash } = new URL(issuer)
    const isExposed = protocol === 'http:' && !isLoopback(issuer)
    problems.push(
      [settings.OIDC_CLIENT_ID === undefined, 'OIDC_CLIENT_ID', 'is required with OIDC_ISSUER'],
      [isExposed, 'OIDC_ISSUER', 'must be an https address. Plain http is only allowed on this machine'],
      [search !== '' || hash !== '', 'OIDC_ISSUER', 'must not contain ? or #'],
      [
        settings.NODE_ENV === 'production' && settings.PUBLIC_URL === undefined,
        'PUBLIC_URL',
        'is required with OIDC_ISSUER, because the provider redirects users to it',
      ],
    )
  }
  problems.push([
    secret !== undefined && file !== undefined,
    'OIDC_CLIENT_SECRET',
    'cannot be combined with OIDC_CLIENT_SECRET_FILE',
  ])
  return problems.flatMap(([isWrong, setting, message]) => (isWrong ? [{ setting, message }] : []))
}

export function identityOf(settings: IdentitySettings, publicUrl: string): Identity {
  const { OIDC_ISSUER: issuer } = settings
  if (issuer !== undefined) {
    return {
      kind: 'oidc',
      issuer,
      clientId: settings.OIDC_CLIENT_ID ?? '',
      clientSecret: secretOf(settings),
      clientAuthentication: settings.OIDC_CLIENT_AUTHENTICATION,
      scope: settings.OIDC_SCOPE,
      rolesClaim: settings.OIDC_ROLES_CLAIM ?? null,
    }
  }
  const why = findDemoProblem(settings, publicUrl)
  return why === null ? { kind: 'demo' } : { kind: 'none', why }
}

export const issuerOf = (identity: Identity): string =>
  identity.kind === 'oidc' ? identity.issuer : identity.kind

/** Its users share a public password: it must not be reachable from other machines. */
function findDemoProblem({ NODE_ENV, HOST }: IdentitySettings, publicUrl: string): string | null {
  if (NODE_ENV === 'production') return 'NODE_ENV is production'
  if (!isLoopbackHost(HOST)) return `HOST=${HOST} can be reached from the network`
  if (!isLoopback(publicUrl)) return `PUBLIC_URL=${publicUrl} is not a local address`
  if (new URL(publicUrl).port === '0') return 'PORT=0 uses a random port'
  return null
}

function secretOf({ OIDC_CLIENT_SECRET, OIDC_CLIENT_SECRET_FILE: file }: IdentitySettings): string | null {
  if (file === undefined) return OIDC_CLIENT_SECRET ?? null
  const secret = readSecret(file)
  if (secret === '') throw unusable(`${file} is empty`)
  return secret
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw unusable(`${file} cannot be read (${code})`)
  }
}

function unusable(message: string): Error {
  return new Error(`Invalid settings:\n  OIDC_CLIENT_SECRET_FILE: ${message}`)
}
