import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Ends all connections and refuses new ones, as a server that is gone. */
  cut(): Promise<void>
  /** Passes nothing on any more, in either direction, and says nothing about it, as a network that is gone. */
  freeze(): void
  /** Connections that are there go on, new ones are taken again. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** Stands before a server on this machine, which can thereby be taken away. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((inner) => {
    const outer = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
  })
  const listen = (port: number) =>
    new Promise<number>((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      }),
    )
  const port = await listen(0)
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    port,
    cut,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    async restore() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
