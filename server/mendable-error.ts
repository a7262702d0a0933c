/** A problem that the operator can solve. The message says how; no stack is shown. */
export class MendableError extends Error {}
