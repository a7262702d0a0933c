import type { FastifyRequest } from 'fastify'
import { hostNameOf, isLoopbackHost } from '../settings/host-names.ts'
import { SignInRefusal } from './refusals.ts'

const isOfProxy = (header: string) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(header)

/**
 * Anyone can be an administrator with the demo provider, so it only answers direct requests from this
 * machine: not through a proxy, a tunnel or a container's port. Throws a SignInRefusal.
 */
export async function requireThisMachine({ socket, headers, raw }: FastifyRequest): Promise<void> {
  // Browsers do not use HTTP 1.0; nginx does by default.
  const hasProxy = raw.httpVersion === '1.0' || Object.keys(headers).some(isOfProxy)
  if (
    hasProxy ||
    !isLoopbackHost(socket.remoteAddress ?? '') ||
    !isLoopbackHost(hostNameOf(headers.host) ?? '')
  )
    throw new SignInRefusal('not-of-this-machine')
}
