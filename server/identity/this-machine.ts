import type { FastifyRequest } from 'fastify'
import { hostNameOf, isLoopbackHost } from '../settings/host-names.ts'
import { SignInRefusal } from './refusals.ts'

const isOfProxy = (header: string) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(header)

/**
 * The demo provider makes anybody an administrator: it answers who sits at this machine, and nobody whom a proxy, a
 * tunnel or a container's port brings along. Throws a refusal.
 */
export async function requireThisMachine({ socket, headers, raw }: FastifyRequest): Promise<void> {
  // No browser speaks HTTP 1.0; nginx does to what stands behind it, unless it is told otherwise.
  const hasProxy = raw.httpVersion === '1.0' || Object.keys(headers).some(isOfProxy)
  if (
    hasProxy ||
    !isLoopbackHost(socket.remoteAddress ?? '') ||
    !isLoopbackHost(hostNameOf(headers.host) ?? '')
  )
    throw new SignInRefusal('not-of-this-machine')
}
