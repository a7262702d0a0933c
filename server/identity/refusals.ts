export type Reason = keyof typeof refusals

type Refusal = { status: number; heading: string; text: string }

export const refusals = {
  'unknown-sign-in': {
    status: 400,
    heading: 'The sign-in took too long or was started in another browser',
    text: 'An answer of the identity provider counts once, for a quarter of an hour, and only in the browser in which the sign-in began. Start again from here.',
  },
  'used-code': {
    status: 400,
    heading: 'The sign-in has expired',
    text: 'The identity provider no longer accepts its own answer: it was used already, or took too long on its way. Start again from here.',
  },
  'access-denied': {
    status: 403,
    heading: 'Access was denied',
    text: 'The sign-in was cancelled at the identity provider, or it does not let this account in. Try again, with another account if you have one.',
  },
  'provider-refused': {
    status: 502,
    heading: 'The identity provider refused the sign-in',
    text: 'It returned an error. Try again. If that does not help, contact the administrator of this server, who finds more in the log.',
  },
  'wrong-signature': {
    status: 502,
    heading: 'The identity provider’s answer is not signed as it must be',
    text: 'Its signature does not match the provider’s keys, so it may be forged. You are not signed in. Try again. If that does not help, contact the administrator of this server.',
  },
  'wrong-clock': {
    status: 502,
    heading: 'The identity provider’s answer is not valid at this time',
    text: 'It has expired, or is meant for later. Most likely a clock is wrong: the provider’s or this server’s. Try again. If that does not help, contact the administrator of this server.',
  },
  'wrong-answer': {
    status: 502,
    heading: 'The identity provider’s answer belongs to something else',
    text: 'It was made for another sign-in or program, or by another provider. You are not signed in. Try again. If that does not help, contact the administrator of this server.',
  },
  'wrong-issuer': {
    status: 502,
    heading: 'The identity provider calls itself something else',
    text: 'The issuer that it names is not exactly the one that this server is set up for. You are not signed in. Contact the administrator of this server: OIDC_ISSUER must be the issuer that the provider names.',
  },
  'unusable-answer': {
    status: 502,
    heading: 'The identity provider’s answer makes no sense',
    text: 'It is not what a provider of this kind answers. Try again. If that does not help, contact the administrator of this server.',
  },
  'slow-provider': {
    status: 504,
    heading: 'The identity provider takes too long',
    text: 'It did not answer within 10 seconds. Try again in a moment.',
  },
  'provider-away': {
    status: 503,
    heading: 'The identity provider cannot be reached',
    text: 'You cannot sign in until it is back; the public maps still work. Try again in a moment.',
  },
  'database-away': {
    status: 503,
    heading: 'Signing in is not possible just now',
    text: 'The database cannot be reached. Try again in a moment.',
  },
  'database-busy': {
    status: 503,
    heading: 'Signing in has to wait a moment',
    text: 'Another program has been changing the database for too long. Try again in a moment.',
  },
  'database-full': {
    status: 507,
    heading: 'The server has no disk space left',
    text: 'Signing in needs some. Contact the administrator of this server.',
  },
  'too-many': {
    status: 429,
    heading: 'Too many sign-ins',
    text: 'Too many were started from this address within a minute. Wait a minute, then try again.',
  },
  'not-set-up': {
    status: 503,
    heading: 'Signing in is not set up',
    text: 'The maps are public; only signed-in users can change them.',
  },
  'not-of-this-machine': {
    status: 403,
    heading: 'The demo sign-in is for this machine alone',
    text: 'Anybody can be an administrator with it. So it only answers a browser on the machine that the server runs on, directly and by a name such as localhost: not over the network, and not through a proxy.',
  },
  'not-there': {
    status: 404,
    heading: 'There is nothing at this address',
    text: 'The address may be mistyped, or from another time.',
  },
  failed: {
    status: 500,
    heading: 'Something went wrong on our side',
    text: 'The sign-in could not be finished. Try again. If that does not help, contact the administrator of this server.',
  },
} as const satisfies Record<string, Refusal>

export class SignInRefusal extends Error {
  readonly reason: Reason
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}
