import { copiedAtName } from '#domain/opening/opening-page.ts'
import { positionName } from '#domain/values/position.ts'
import { addressWith, type Parameters } from './addresses.ts'
import { doubtConnection, nextRequest, noteAnswer } from './connection.ts'
import { notePosition } from './position.ts'

/** Longer than the server's own time limits. */
export const answerWithinMs = 30_000

export type FieldError = { in: string; name: string; message: string }

/** A failed request; `status` 0 means that no answer came. */
export class RequestError extends Error {
  readonly status: number
  readonly fields: readonly FieldError[]
  readonly current: unknown
  constructor(status: number, message: string, fields: readonly FieldError[] = [], current?: unknown) {
    super(message)
    this.status = status
    this.fields = fields
    this.current = current
  }
}

/** A request that timed out: it is not repeated automatically, which would only prolong the wait. */
export class LateAnswerError extends RequestError {
  constructor(isChange: boolean) {
    const words = `The server did not respond within ${answerWithinMs / 1000} seconds.`
    super(0, isChange ? `${words} Your change may still have been saved.` : words)
  }
}

/** How long the user counts as active after the last input. */
const presenceMs = 60_000
let lastInputAt = Date.now()

export function watchPresence() {
  const note = () => {
    lastInputAt = Date.now()
  }
  for (const input of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(input, note, { capture: true, passive: true })
}

/** Requests of an unattended page do not prolong the session: another person may be at the computer. */
const presence = (): Record<string, string> =>
  Date.now() - lastInputAt > presenceMs ? { 'x-unattended': '1' } : {}

export function getJson<Answer>(
  path: string,
  parameters?: Parameters,
  signal?: AbortSignal,
  { linkKey }: Pick<Sent, 'linkKey'> = {},
): Promise<Answer> {
  return ask(addressWith(path, parameters), {
    headers: {
      accept: 'application/json',
      ...linkKey,
    },
    ...(signal ? { signal } : {}),
  })
}

/** Loads a list page by page. */
export const inPages = <Page extends { next: string | null }>(path: string, parameters: Parameters) => ({
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    getJson<Page>(path, { ...parameters, after: pageParam ?? undefined }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: Page) => next,
})

export function getText(path: string, parameters: Parameters, signal: AbortSignal): Promise<string> {
  return ask(
    addressWith(path, parameters),
    { headers: { accept: 'application/geo+json' }, signal },
    (text) => {
      if (!text.startsWith('{')) throw new Error('The response is not JSON.')
      return text
    },
  )
}

export async function getFile(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) })
  if (!answer.ok) throw new Error(`Could not load the file: error ${answer.status}.`)
  await answer.arrayBuffer()
}

/** A random id, which makes a creation safe to repeat. `crypto.randomUUID` is missing over plain HTTP in a local network. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

export type LinkKey = { 'report-key': string } | { 'work-key': string } | { 'subscription-key': string }

type Sent = {
  body?: unknown
  ifMatch?: number
  idempotencyKey?: string
  /** Opens a report, subscriptions, or an incident for a contractor, without an account. */
  linkKey?: LinkKey
  /** Sent without an action of the user: never asks to sign in, and is sent even while the page unloads. */
  isByItself?: boolean
}

/** Sends a change. If the session ended, asks the user to sign in again, and repeats the change. */
export function sendJson<Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const { body, ifMatch, idempotencyKey, linkKey, isByItself = false } = sent
  const request: PlainRequest = {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...linkKey,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    keepalive: isByItself,
  }
  const send = () => ask<Answer>(path, request)
  return isByItself ? send() : askSignedIn(send)
}

export function sendBytes<Answer>(
  method: 'PUT',
  path: string,
  bytes: Blob,
  { linkKey }: Pick<Sent, 'linkKey'> = {},
): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/octet-stream',
    ...linkKey,
  }
  return askSignedIn(() => ask(path, { method, headers, body: bytes }))
}

const fileWithinMs = 180_000

export async function getBlob(path: string, linkKey: LinkKey, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(path, { headers: linkKey, signal })
  if (!answer.ok) throw refusalOf(answer.status, await answer.text())
  return answer.blob()
}

type NamedFile = { name: string; file: Blob }

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
    throw new RequestError(0, 'Could not download the file.')
  }
  throw refusalOf(answer.status, await answer.text())
}

const fileNameOf = ({ headers }: Response) =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'export'

/** After a 401, asks the user to sign in again, and sends once more. */
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
let waitingRequests = 0

export const isWaitingForSignIn = () => waitingRequests > 0

async function isSignedInAgain(): Promise<boolean> {
  waitingRequests += 1
  try {
    return await askToSignInAgain()
  } finally {
    waitingRequests -= 1
  }
}

/** `ask` resolves to whether the user signed in again. Returns a function that removes it. */
export function onSessionEnded(ask: () => Promise<boolean>): () => void {
  askToSignInAgain = ask
  return () => {
    if (askToSignInAgain === ask) askToSignInAgain = () => Promise.resolve(false)
  }
}

const gatewayAnswers = new Set([502, 503, 504])

type PlainRequest = RequestInit & { headers: Record<string, string> }

async function ask<Answer>(
  address: string,
  request: PlainRequest,
  understand: (text: string) => Answer = parse,
): Promise<Answer> {
  const number = nextRequest()
  const { status, isOk, isCopy, text } = await fetchInTime(address, request)
  if (isCopy) return understand(text)
  if (isOk) return read(text, understand, number)
  if (gatewayAnswers.has(status)) doubtConnection()
  else noteAnswer(number)
  throw refusalOf(status, text)
}

const parse = <Answer>(text: string) => (text === '' ? undefined : JSON.parse(text)) as Answer

/** Captive portals answer every request with their own page. */
function read<Answer>(text: string, understand: (text: string) => Answer, number: number): Answer {
  try {
    const answer = understand(text)
    noteAnswer(number)
    return answer
  } catch {
    doubtConnection()
    throw new RequestError(0, 'The response did not come from the server. Check your network connection.')
  }
}

async function fetchInTime(address: string, request: PlainRequest) {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), answerWithinMs)
  const signal = request.signal ? AbortSignal.any([request.signal, limit.signal]) : limit.signal
  try {
    const headers = { ...request.headers, ...presence() }
    const response = await fetch(address, { ...request, headers, signal })
    const position = response.headers.get(positionName)
    if (position !== null) notePosition(Number(position))
    const { status, ok: isOk, headers: received } = response
    return { status, isOk, isCopy: received.has(copiedAtName), text: await response.text() }
  } catch (error) {
    if (request.signal?.aborted) throw error
    doubtConnection()
    if (limit.signal.aborted) throw new LateAnswerError(request.method !== undefined)
    throw new RequestError(0, 'The server cannot be reached.')
  } finally {
    clearTimeout(timer)
  }
}

function refusalOf(status: number, text: string): RequestError {
  const fallback = `The server returned error ${status}.`
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
