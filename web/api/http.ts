import { addressWith, type Parameters } from './addresses.ts'
import { doubtConnection, noteAnswer } from './connection.ts'

// Asks for everything but whether anybody is there.

/** Nobody is kept waiting for longer: the server ends its own questions sooner. */
export const answerWithinMs = 30_000

export type FieldError = { in: string; name: string; message: string }

/** An answer that is not what was asked for; `status` 0 means that no answer came. */
export class RequestError extends Error {
  readonly status: number
  /** Which fields of the body were refused, by their dotted path. */
  readonly fields: readonly FieldError[]
  /** With 412: what is there now, where the server tells. */
  readonly current: unknown
  constructor(status: number, message: string, fields: readonly FieldError[] = [], current?: unknown) {
    super(message)
    this.status = status
    this.fields = fields
    this.current = current
  }
}

/** No answer came in all the time that there was for it: asking once more by itself would only prolong the wait. */
export class LateAnswerError extends RequestError {
  constructor(isChange: boolean) {
    const words = `The server has not answered for ${answerWithinMs / 1000} seconds`
    super(0, isChange ? `${words}: perhaps it went through all the same.` : `${words}.`)
  }
}

/** So long after the last touch of the page somebody counts as being there. */
const presenceMs = 60_000
let lastTouched = Date.now()
for (const touch of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  window.addEventListener(
    touch,
    () => {
      lastTouched = Date.now()
    },
    { capture: true, passive: true },
  )

/** What the page asks by itself keeps no session from ending: others may sit before it by then. */
const presence = (): Record<string, string> =>
  Date.now() - lastTouched > presenceMs ? { 'x-unattended': '1' } : {}

/** Asks and parses; throws a RequestError with words that can be shown to the person who waits. */
export function getJson<Answer>(
  path: string,
  parameters?: Parameters,
  signal?: AbortSignal,
): Promise<Answer> {
  return ask(addressWith(path, parameters), {
    headers: { accept: 'application/json' },
    ...(signal ? { signal } : {}),
  })
}

/** The same of an answer in JSON that is left as it came. */
export function getText(path: string, parameters: Parameters, signal: AbortSignal): Promise<string> {
  return ask(
    addressWith(path, parameters),
    { headers: { accept: 'application/geo+json' }, signal },
    (text) => {
      if (!text.startsWith('{')) throw new Error('The answer is no JSON.')
      return text
    },
  )
}

/** Has a file of the program in the browser's cache. Throws where it does not come. */
export async function getFile(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) })
  if (!answer.ok) throw new Error(`The file did not come: ${answer.status}.`)
  await answer.arrayBuffer()
}

/**
 * Names what is asked for, so that it is safe to send twice. `crypto.randomUUID` is missing where the page is not served
 * securely: over plain HTTP in a local network.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

type Sent = {
  body?: unknown
  /** The version that the change is meant for: where there is a newer one, the answer is 412. */
  ifMatch?: number
  /** Makes a creation safe to send twice. */
  idempotencyKey?: string
  /** The page does it unasked: nobody has to sign in for it, and it goes out even as the page is left. */
  isByItself?: boolean
}

/**
 * Sends a change. Where the session has ended, the person is asked to sign in again, and the change is sent
 * once more: nothing has to be typed twice.
 */
export function sendJson<Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const { body, ifMatch, idempotencyKey, isByItself = false } = sent
  const request: PlainRequest = {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    keepalive: isByItself,
  }
  const send = () => ask<Answer>(path, request)
  return isByItself ? send() : askSignedIn(send)
}

/** The same of bytes. */
export function sendBytes<Answer>(method: 'PUT', path: string, bytes: Blob): Promise<Answer> {
  const headers = { accept: 'application/json', 'content-type': 'application/octet-stream' }
  return askSignedIn(() => ask(path, { method, headers, body: bytes }))
}

/** A file takes its time. */
const fileWithinMs = 180_000

type NamedFile = { name: string; file: Blob }

/** Sends what a file is made of; the answer is the file. */
export const sendForFile = (path: string, body: unknown): Promise<NamedFile> =>
  askSignedIn(() => fetchFile(path, body))

async function fetchFile(path: string, body: unknown): Promise<NamedFile> {
  let answer: Response
  try {
    const headers = { 'content-type': 'application/json', ...presence() }
    const signal = AbortSignal.timeout(fileWithinMs)
    answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal })
    if (answer.ok) return { name: fileNameOf(answer), file: await answer.blob() }
  } catch {
    doubtConnection()
    throw new RequestError(0, 'The file did not come.')
  }
  throw refusalOf(answer.status, await answer.text())
}

const fileNameOf = ({ headers }: Response) =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'export'

/** Asks the user to sign in again after a 401, and then sends once more. */
export async function askSignedIn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    const isSignedOut = error instanceof RequestError && error.status === 401
    if (!(isSignedOut && (await isSignedInAgain()))) throw error
    return send()
  }
}

let askToSignInAgain = () => Promise.resolve(false)
let asked = 0

/** Something waits for somebody to sign in again. */
export const isAskedToSignIn = () => asked > 0

async function isSignedInAgain(): Promise<boolean> {
  asked += 1
  try {
    return await askToSignInAgain()
  } finally {
    asked -= 1
  }
}

/** `ask` resolves to whether somebody is signed in again. Returns how to take it back. */
export function onSessionEnded(ask: () => Promise<boolean>): () => void {
  askToSignInAgain = ask
  return () => {
    if (askToSignInAgain === ask) askToSignInAgain = () => Promise.resolve(false)
  }
}

/** Of something that stands before a server that is down, or of a server that is up but has its own trouble. */
const gatewayAnswers = new Set([502, 503, 504])

type PlainRequest = RequestInit & { headers: Record<string, string> }

async function ask<Answer>(
  address: string,
  request: PlainRequest,
  understand: (text: string) => Answer = parse,
): Promise<Answer> {
  const askedAt = Date.now()
  const { status, isOk, text } = await fetchInTime(address, request)
  if (isOk) return read(text, understand, askedAt)
  if (gatewayAnswers.has(status)) doubtConnection()
  else noteAnswer(askedAt)
  throw refusalOf(status, text)
}

const parse = <Answer>(text: string) => (text === '' ? undefined : JSON.parse(text)) as Answer

/** The network of a hotel answers everything, with a page of its own. */
function read<Answer>(text: string, understand: (text: string) => Answer, askedAt: number): Answer {
  try {
    const answer = understand(text)
    noteAnswer(askedAt)
    return answer
  } catch {
    doubtConnection()
    throw new RequestError(0, 'Something else answered in place of the server.')
  }
}

/** The whole answer, to its last byte. */
async function fetchInTime(address: string, request: PlainRequest) {
  const limit = new AbortController()
  const timer = window.setTimeout(() => limit.abort(), answerWithinMs)
  const signal = request.signal ? AbortSignal.any([request.signal, limit.signal]) : limit.signal
  try {
    const headers = { ...request.headers, ...presence() }
    const response = await fetch(address, { ...request, headers, signal })
    return { status: response.status, isOk: response.ok, text: await response.text() }
  } catch (error) {
    if (request.signal?.aborted) throw error
    doubtConnection()
    if (limit.signal.aborted) throw new LateAnswerError(request.method !== undefined)
    throw new RequestError(0, 'The server cannot be reached.')
  } finally {
    window.clearTimeout(timer)
  }
}

function refusalOf(status: number, text: string): RequestError {
  const fallback = `The server answered ${status}.`
  try {
    const problem = JSON.parse(text) as {
      detail?: string
      title?: string
      errors?: FieldError[]
      current?: unknown
    }
    return new RequestError(
      status,
      problem.detail ?? problem.title ?? fallback,
      problem.errors,
      problem.current,
    )
  } catch {
    return new RequestError(status, fallback)
  }
}
