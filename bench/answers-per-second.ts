import { connect, type Socket } from 'node:net'

/** Reads only the status and length of answers, so that the server is the bottleneck. */
export async function answersPerSecond(address: string, path: string, seconds: number): Promise<number> {
  const { rate } = await askFor(seconds, { address, path, connections: 16, encoding: 'gzip' })
  return rate
}

type Load = { address: string; path: string; connections: number; encoding: 'gzip' | 'identity' }

/** The answers per second, and how long each took, in milliseconds. */
export async function askFor(
  seconds: number,
  { address, path, connections, encoding }: Load,
): Promise<{ rate: number; times: number[] }> {
  const { hostname, port, host } = new URL(address)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: ${encoding}\r\n\r\n`
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))))
  const start = performance.now()
  const end = start + seconds * 1000
  const times = (await Promise.all(sockets.map((socket) => askUntil(end, socket, request)))).flat()
  return { rate: times.length / ((performance.now() - start) / 1000), times }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

function askUntil(end: number, socket: Socket, request: string): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = []
    let startedAt = 0
    const ask = () => {
      startedAt = performance.now()
      socket.write(request)
    }
    let head = Buffer.alloc(0)
    /** Bytes missing from the current body; undefined while its head is read. */
    let missing: number | undefined
    const take = (chunk: Buffer) => {
      let rest = chunk
      if (missing === undefined) {
        head = Buffer.concat([head, chunk])
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const text = head.toString('latin1', 0, headEnd)
        const length = /content-length: (\d+)/i.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(text)
        rest = head.subarray(headEnd + 4)
        missing = Number(length)
        head = Buffer.alloc(0)
      }
      missing -= rest.length
      if (missing > 0) return
      missing = undefined
      times.push(performance.now() - startedAt)
      if (performance.now() < end) ask()
      else {
        socket.destroy()
        resolve(times)
      }
    }
    socket.on('data', (chunk) => {
      try {
        take(chunk)
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
    ask()
  })
}
