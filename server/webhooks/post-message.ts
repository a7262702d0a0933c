import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { findAddresses, type Guard } from './find-addresses.ts'

/** An answer is read up to here, and discarded. */
const mostDiscardedBytes = 64 * 1024

/** Reads the rest of an answer this long, so that the receiver sees no error. */
const lingerMs = 1_000

export type Post = {
  url: string
  headers: Record<string, string>
  body: string
  guard: Guard
  signal: AbortSignal
}

/** Connects only to checked addresses; follows no redirect and uses no proxy. */
export async function postMessage({ url, headers, body, guard, signal }: Post): Promise<number> {
  const addresses = await until(signal, findAddresses(url, guard))
  const address = new URL(url)
  const { Agent, request } = address.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sending = request(address, {
      method: 'POST',
      // A new agent reuses no connection, and ignores proxies in the environment.
      agent: new Agent(),
      lookup: answering(addresses),
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      signal,
    })
    sending.on('response', (answer) => {
      // Only the status matters to the standard, whatever happens to the rest.
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

function answering(addresses: LookupAddress[]): LookupFunction {
  return (_hostName, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** The system's resolver has no timeout. */
function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
