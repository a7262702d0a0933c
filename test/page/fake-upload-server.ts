import { vi } from 'vitest'

/** Replaces `fetch` by a server that receives uploads in pieces and can be down or slow. */
export function fakeUploadServer(total: number, answer: (received: number) => object) {
  const server = {
    received: 0,
    offsets: [] as number[],
    isAway: false,
    /** The server goes down after this many pieces. */
    piecesUntilAway: Number.POSITIVE_INFINITY,
    /** Status codes of the next responses. */
    refusals: [] as number[],
    deleted: false,
  }
  vi.stubGlobal('fetch', async (address: string, request: RequestInit) => {
    if (server.isAway) throw new TypeError('Failed to fetch')
    const refusal = server.refusals.shift()
    if (refusal) return Response.json({ title: 'Refused' }, { status: refusal })
    if (request.method === 'DELETE') {
      server.deleted = true
      return new Response(null, { status: 204 })
    }
    const { body } = request
    const offset = new URL(address, 'http://localhost').searchParams.get('offset')
    if (offset !== null && body instanceof Blob) {
      server.offsets.push(Number(offset))
      server.isAway = server.offsets.length >= server.piecesUntilAway
      if (Number(offset) <= server.received) server.received = Math.min(total, Number(offset) + body.size)
    }
    return Response.json(answer(server.received))
  })
  return server
}
