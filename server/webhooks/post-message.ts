import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { findAddresses, type Guard } from './find-addresses.ts'

/** More of an answer is not read; nothing of it is kept. */
const mostDiscardedBytes = 64 * 1024

/** So long the rest of an answer is awaited, so that whoever sends it sees no error. */
const lingerMs = 1_000

export type Post = {
  url: string
  headers: Record<string, string>
  body: string
  guard: Guard
  /** Aborted when the time is over, or the process ends. */
  signal: AbortSignal
}

/**
 * Sends a message to an address of a person's choice, and returns the status of the answer. Connects to an address that was
 * checked; follows no redirect and uses no proxy.
 */
export async function postMessage({ url, headers, body, guard, signal }: Post): Promise<number> {
  const addresses = await until(signal, findAddresses(url, guard))
  const address = new URL(url)
  const { Agent, request } = address.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sending = request(address, {
      method: 'POST',
      // One of its own: neither a connection that was made before nor a proxy that the environment names.
      agent: new Agent(),
      lookup: answering(addresses),
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      signal,
    })
    sending.on('response', (answer) => {
      // The standard looks at nothing else: it was answered, whatever happens to the rest.
      resolve(answer.statusCode ?? 0)
      const end = () => answer.destroy()
      const lingering = setTimeout(end, lingerMs)
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > mostDiscardedBytes) end()
      })
      answer.on('close', () => clearTimeout(lingering))
      answer.on('error', () => {})
    })
    sending.on('error', reject)
    sending.on('close', () => reject(new Error('The connection ended without an answer.')))
    sending.end(body)
  })
}

/** What was found and checked, whatever the name leads to by now. */
function answering(addresses: LookupAddress[]): LookupFunction {
  return (_hostName, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** Names are looked up for as long as the system likes. */
function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
