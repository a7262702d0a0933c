import { outageOf } from '../database/outage.ts'
import { type Reason, SignInRefusal } from './refusals.ts'

type LibraryError = Error & { code?: string; error?: string; status?: number; cause?: unknown }

export function reasonOf(error: unknown): Reason {
  if (error instanceof SignInRefusal) return error.reason
  const { code, error: answer, message, cause } = error as LibraryError
  if (issuersOf(error)) return 'wrong-issuer'
  switch (code ?? '') {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return answer === 'access_denied' ? 'access-denied' : 'provider-refused'
    case 'OAUTH_RESPONSE_BODY_ERROR':
      return answer === 'invalid_grant' ? 'used-code' : 'provider-refused'
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return 'provider-refused'
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'wrong-clock'
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return 'wrong-answer'
    case 'OAUTH_KEY_SELECTION_FAILED':
      return 'wrong-signature'
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
      return (cause as Response | undefined)?.status && (cause as Response).status >= 500
        ? 'provider-away'
        : 'unusable-answer'
    case 'OAUTH_INVALID_RESPONSE':
      return reasonOfInvalidResponse(cause instanceof Error ? cause.message : message)
    case 'OAUTH_TIMEOUT':
      return 'slow-provider'
  }
  if (code?.startsWith('OAUTH_')) return 'unusable-answer'
  if (isUnreachable(error)) return 'provider-away'
  const outage = outageOf(error)
  return outage && outage !== 'filesFull' ? `database-${outage}` : 'failed'
}

/** The library uses one code for all of these; tests check its messages. */
function reasonOfInvalidResponse(message: string): Reason {
  if (/signature|"alg"/.test(message)) return 'wrong-signature'
  return /"iss"/.test(message) ? 'wrong-answer' : 'unusable-answer'
}

export type Issuers = { expected: string; received: string | null }

/** The library reports it in three ways: for the provider's metadata, a token, and the callback URL. */
export function issuersOf(error: unknown): Issuers | null {
  const details = (error as LibraryError | undefined)?.cause as IssuerDetails | undefined
  if (details instanceof Error) return issuersOf(details)
  const isOfIssuer =
    details?.attribute === 'issuer' || details?.claim === 'iss' || details?.parameters?.has('iss')
  if (!isOfIssuer || typeof details?.expected !== 'string') return null
  const received = details.body?.issuer ?? details.claims?.iss ?? details.parameters?.get('iss')
  return {
    expected: details.expected,
    received: typeof received === 'string' ? received.slice(0, 300) : null,
  }
}

type IssuerDetails = {
  attribute?: unknown
  claim?: unknown
  expected?: unknown
  body?: { issuer?: unknown }
  claims?: { iss?: unknown }
  parameters?: URLSearchParams
}

/** fetch throws a TypeError with a cause. */
function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof TypeError && cause.message === 'fetch failed') return true
  return false
}
