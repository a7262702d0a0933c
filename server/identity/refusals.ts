export type Reason = keyof typeof refusals

type Refusal = { status: number; heading: string; text: string }

export const refusals = {
  'unknown-sign-in': {
    status: 400,
    heading: 'The sign-in expired or was started in another browser',
    text: 'A sign-in is valid for 15 minutes, and only in the browser where you started it. Try again.',
  },
  'used-code': {
    status: 400,
    heading: 'The sign-in has expired',
    text: 'The sign-in was already used or took too long. Try again.',
  },
  'access-denied': {
    status: 403,
    heading: 'Access was denied',
    text: 'You canceled the sign-in, or your account has no access. Try again, or use another account.',
  },
  'provider-refused': {
    status: 502,
    heading: 'The identity provider rejected the sign-in',
    text: 'Try again. If the problem persists, contact the administrator of this server, who can find details in the log.',
  },
  'wrong-signature': {
    status: 502,
    heading: 'The response of the identity provider has an invalid signature',
    text: 'It may be forged, so you were not signed in. Try again. If the problem persists, contact the administrator of this server.',
  },
  'wrong-clock': {
    status: 502,
    heading: 'The response of the identity provider is not valid at this time',
    text: 'It has expired or is not valid yet, probably because a clock is wrong. Try again. If the problem persists, contact the administrator of this server.',
  },
  'wrong-answer': {
    status: 502,
    heading: 'The response of the identity provider is for another sign-in',
    text: 'It belongs to another sign-in, application, or provider, so you were not signed in. Try again. If the problem persists, contact the administrator of this server.',
  },
  'wrong-issuer': {
    status: 502,
    heading: 'The identity provider has another name',
    text: 'Its issuer does not match the configuration of this server, so you were not signed in. Contact the administrator of this server: OIDC_ISSUER must match the issuer exactly.',
  },
  'unusable-answer': {
    status: 502,
    heading: 'The response of the identity provider is invalid',
    text: 'Try again. If the problem persists, contact the administrator of this server.',
  },
  'slow-provider': {
    status: 504,
    heading: 'The identity provider is not responding',
    text: 'It did not respond within 10 seconds. Try again in a moment.',
  },
  'provider-away': {
    status: 503,
    heading: 'The identity provider cannot be reached',
    text: 'You cannot sign in until it is available. The public maps still work. Try again in a moment.',
  },
  'database-away': {
    status: 503,
    heading: 'Signing in is not available right now',
    text: 'The database cannot be reached. Try again in a moment.',
  },
  'database-busy': {
    status: 503,
    heading: 'The database is busy',
    text: 'Signing in has to wait for other changes to finish. Try again in a moment.',
  },
  'database-full': {
    status: 507,
    heading: 'The server is out of disk space',
    text: 'Signing in is not possible. Contact the administrator of this server.',
  },
  'too-many': {
    status: 429,
    heading: 'Too many sign-ins',
    text: 'There were too many sign-ins from your address. Wait a minute, then try again.',
  },
  'not-set-up': {
    status: 503,
    heading: 'Signing in is not set up',
    text: 'You can view the public maps, but not change them.',
  },
  'not-of-this-machine': {
    status: 403,
    heading: 'The demo sign-in only works on the server itself',
    text: 'It lets anyone become an administrator. That is why it only accepts a browser on the same machine, with a name such as localhost, and not over the network or through a proxy.',
  },
  'not-there': {
    status: 404,
    heading: 'Page not found',
    text: 'Check the address for typos, or go to the map.',
  },
  failed: {
    status: 500,
    heading: 'Something went wrong on our side',
    text: 'Could not finish the sign-in. Try again. If the problem persists, contact the administrator of this server.',
  },
} as const satisfies Record<string, Refusal>

export class SignInRefusal extends Error {
  readonly reason: Reason
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
