// Reasons for rejecting a command, without HTTP: server/http/problem.ts maps them to responses.

import { maxFaults } from '#domain/values/parse-bounded.ts'
import { shorten } from '#domain/values/text.ts'

export type DomainErrorKind =
  | 'not-found'
  | 'conflict'
  | 'key-reused'
  | 'refused'
  | 'version-mismatch'
  | 'busy'

export abstract class DomainError extends Error {
  abstract readonly kind: DomainErrorKind
}

export class NotFoundError extends DomainError {
  readonly kind = 'not-found'
}

export class ConflictError extends DomainError {
  readonly kind = 'conflict'
}

export class KeyReusedError extends DomainError {
  readonly kind = 'key-reused'
}

/** `reason` continues the sentence that the field's name begins; `at` is a location on the map. */
export type BadField = { field: string; reason: string; at?: { lat: number; lng: number } }

export class RefusedError extends DomainError {
  readonly kind = 'refused'
  readonly fields: readonly BadField[]
  constructor(field: string, reason: string)
  constructor(fields: readonly BadField[])
  constructor(input: string | readonly BadField[], reason = '') {
    const all = typeof input === 'string' ? [{ field: input, reason }] : input.slice(0, maxFaults)
    const fields = all.map((bad) => ({ ...bad, field: shorten(bad.field), reason: shorten(bad.reason) }))
    super(fields.map((bad) => `${bad.field}: ${bad.reason}`).join('; '))
    this.fields = fields
  }
}

/** The version changed since it was read; `current` is the current state, if the caller may see it. */
export class VersionMismatchError extends DomainError {
  readonly kind = 'version-mismatch'
  readonly current: unknown
  constructor(message: string, current: unknown) {
    super(message)
    this.current = current
  }
}

export abstract class BusyError extends DomainError {
  readonly kind = 'busy'
}

export class NotAnsweredError extends BusyError {
  readonly reason: keyof typeof reasons
  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}

const reasons = {
  full: 'The server is busy. Try again in a few seconds.',
  'too long': 'The request took too long. Try again, or request less data.',
  left: 'The client has disconnected.',
  closed: 'The server is shutting down.',
}

export type Expectation = (version: number) => boolean

/** Throws if the client saw another version. Call it inside the transaction. */
export function expectVersion(
  isExpected: Expectation,
  version: number,
  what: string,
  current?: unknown,
): void {
  if (!isExpected(version))
    throw new VersionMismatchError(
      `${what} has changed to version ${version} in the meantime. Reload and try again.`,
      current,
    )
}

/** A problem that the operator can fix. The message says how; no stack is shown. */
export class FixableError extends Error {}
