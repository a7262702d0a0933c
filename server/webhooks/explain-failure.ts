import { ForbiddenAddressError } from './find-addresses.ts'

// Texts for the managers of a map. They contain nothing that the receiver sent.

export function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed.`
  if (status === 410) return 'Answered 410: the receiver is gone.'
  return `Answered ${status}.`
}

const words: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there.',
  ECONNRESET: 'The connection was cut.',
  ETIMEDOUT: 'The connection was not answered.',
  EHOSTUNREACH: 'There is no way to it.',
  ENETUNREACH: 'There is no way to it.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a trusted authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a trusted authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is not signed by a trusted authority.',
}

export function explainFailure(error: Error & { code?: string }, isTimeout: boolean): string {
  if (isTimeout) return 'There was no answer in time.'
  if (error instanceof ForbiddenAddressError) return `The address ${error.message}.`
  const { code } = error
  if (code === undefined) return 'The connection ended without an answer.'
  return words[code] ?? `The connection failed (${code}).`
}
