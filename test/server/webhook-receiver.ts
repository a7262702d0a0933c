import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

type Answer = (received: Received, response: ServerResponse) => unknown

/** Answers 204 by default. Close it at the end of the test. */
export async function startReceiver() {
  const received: Received[] = []
  const state = { answer: ((_received, response) => response.writeHead(204).end()) as Answer }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    await state.answer(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  function close() {
    server.closeAllConnections()
    server.close()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    messages: () => received.map(({ body }) => JSON.parse(body)),
    answerWith(answer: Answer) {
      state.answer = answer
    },
    answerStatus(status: number, headers: Record<string, string> = {}) {
      state.answer = (_received, response) => response.writeHead(status, headers).end()
    },
    close,
    [Symbol.dispose]: close,
  }
}
