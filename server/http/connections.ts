import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A server that closes waits for its connections, also for those that are kept for a next request or never
 * made one. Here it waits for requests under way alone.
 */
export function registerConnections(app: FastifyInstance) {
  const requestsUnderWay = new Map<Socket, number>()
  let isClosing = false

  app.server.on('connection', (socket) => {
    if (isClosing) socket.destroy()
    requestsUnderWay.set(socket, 0)
    socket.once('close', () => requestsUnderWay.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    const change = (difference: number) => (requestsUnderWay.get(socket) ?? 0) + difference
    requestsUnderWay.set(socket, change(1))
    response.once('close', () => {
      if (!requestsUnderWay.has(socket)) return
      requestsUnderWay.set(socket, change(-1))
      if (isClosing && requestsUnderWay.get(socket) === 0) socket.destroySoon()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const [socket, requests] of requestsUnderWay) if (requests === 0) socket.destroy()
  })
}
