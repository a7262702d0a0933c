import type { Readable } from 'node:stream'
import type { TestApp } from './test-app.ts'

/** Opens the stream and waits for its greeting. */
export async function listen({ app }: TestApp, query: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `/api/events${query}`, headers, payloadAsStream: true })
  const stream: Readable = answer.stream().setEncoding('utf8')
  let text = ''
  const ended = new Promise<void>((resolve) => stream.once('end', resolve))
  await new Promise<void>((resolve) =>
    stream.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('event: open')) resolve()
    }),
  )
  return {
    statusCode: answer.statusCode,
    headers: answer.headers,
    ended,
    text: () => text,
    changes: () =>
      [...text.matchAll(/event: change\ndata: (.*)\n/g)].map((match) => JSON.parse(match[1] as string)),
  }
}
