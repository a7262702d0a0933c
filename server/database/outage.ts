/** `full` is the disk of the database, `filesFull` the disk for files. `busy` means a lock timeout. */
export type Outage = 'away' | 'full' | 'filesFull' | 'busy'

export const outageWords: Record<Outage, string> = {
  away: 'Cannot reach the database.',
  full: 'The database disk is full. Nothing was changed. Free up disk space.',
  filesFull:
    'The disk for files (photos, imports, and exports) is full. Nothing was changed. Free up disk space.',
  busy: 'The database is busy with another process, such as an import. Try again in a moment.',
}

export function explainOutage(error: unknown): string | undefined {
  const outage = outageOf(error)
  const { message } = error as Error
  if (outage === 'away') return `Cannot reach the database: ${message}`
  return outage && `${outageWords[outage]} (${message})`
}

/** Matches the text, because SQLite's errors lose `errcode` when they leave a thread. */
export function outageOf(error: unknown): Outage | undefined {
  const {
    code,
    errcode,
    message = '',
  } = (error ?? {}) as {
    code?: unknown
    errcode?: unknown
    message?: string
  }
  const name = typeof code === 'string' ? code : ''
  if (name === '53100' || errcode === noRoomForIndexOfLog || isFull.test(message)) return 'full'
  if (fullCodes.has(name)) return 'filesFull'
  if (busyCodes.has(name) || isBusy.test(message)) return 'busy'
  return connectionFailures.has(name) || unreachableClasses.test(name) || unreachableMessage.test(message)
    ? 'away'
    : undefined
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const isFull = /database or disk is full/
const noRoomForIndexOfLog = 4874

/** 40001: a change on another shard, or a replica that had to cancel a read. */
const busyCodes = new Set(['55P03', '40P01', '40001'])
const isBusy = /database (table )?is locked/

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])
/** PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown); 25006: now a replica. */
const unreachableClasses = /^(08|53|57P|25006)/
const unreachableMessage = new RegExp(
  [
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Connection terminated',
    'is not queryable',
    'Connection ended unexpectedly',
    'The server does not support SSL connections',
  ].join('|'),
)
