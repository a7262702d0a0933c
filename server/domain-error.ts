// What a command refuses, without a word about HTTP: server/http/problem.ts says how each is answered.

export type DomainErrorKind =
  | 'not-found'
  | 'conflict'
  | 'key-reused'
  | 'refused'
  | 'version-mismatch'
  | 'busy'

/** Something that whoever asks can mend, or has to know: the message is for them. */
export abstract class DomainError extends Error {
  abstract readonly kind: DomainErrorKind
}

export class NotFoundError extends DomainError {
  readonly kind = 'not-found'
}

/** What is there already stands in the way. */
export class ConflictError extends DomainError {
  readonly kind = 'conflict'
}

/** A key that tells requests apart was used for another one. */
export class KeyReusedError extends DomainError {
  readonly kind = 'key-reused'
}

/** A field that cannot be taken as it is; `reason` goes on behind its name. */
export class RefusedError extends DomainError {
  readonly kind = 'refused'
  readonly field: string
  readonly reason: string
  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`)
    this.field = field
    this.reason = reason
  }
}

/** Somebody else was faster; `current` is what is there now, where that is told. */
export class VersionMismatchError extends DomainError {
  readonly kind = 'version-mismatch'
  readonly current: unknown
  constructor(message: string, current: unknown) {
    super(message)
    this.current = current
  }
}

/** There is no answer for now; the same question may have one later. */
export abstract class BusyError extends DomainError {
  readonly kind = 'busy'
}

/** Whether the version is one that the sender saw. */
export type Expectation = (version: number) => boolean

/** Throws where the present version is not the one that the sender saw. Call it inside the transaction. */
export function expectVersion(
  isExpected: Expectation,
  version: number,
  what: string,
  current?: unknown,
): void {
  if (!isExpected(version))
    throw new VersionMismatchError(
      `${what} has changed meanwhile: it is at version ${version} now. Look at it again before you change it.`,
      current,
    )
}
