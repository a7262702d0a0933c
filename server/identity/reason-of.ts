import { troubleOf } from '../database/trouble.ts'
import { type Reason, SignInRefusal } from './refusals.ts'

type LibraryError = Error & { code?: string; error?: string; status?: number; cause?: unknown }

/** Why a sign-in failed, from what was thrown: by us, by the OpenID Connect library, or below it. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof SignInRefusal) return error.reason
  const { code, error: answer, message, cause } = error as LibraryError
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
  const trouble = troubleOf(error)
  return trouble ? `database-${trouble}` : 'failed'
}

/** One code stands for all of these; only the library's own words tell them apart (the tests hold them). */
function reasonOfInvalidResponse(message: string): Reason {
  if (/signature|"alg"/.test(message)) return 'wrong-signature'
  return /"iss"/.test(message) ? 'wrong-answer' : 'unusable-answer'
}

/** fetch throws a TypeError whose cause says what happened to the connection. */
function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof TypeError && cause.message === 'fetch failed') return true
  return false
}
