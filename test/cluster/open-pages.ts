import { type ClientRequest, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

// Live updates of open pages, which reconnect like `web/api/live-updates.ts`.

export type OpenPages = {
  /** Resolves when all are connected. Returns how long that took, in milliseconds. */
  connected(): Promise<number>
  /** Counts the pages that hear of a change of this feature, within ten seconds. */
  countHearing(featureId: string): Promise<number>
  close(): void
}

const reconnectMs = 3_000

export function openPages(origin: string, mapId: string, count: number): OpenPages {
  const connected = new Set<number>()
  const requests = new Map<number, ClientRequest>()
  const hearing = new Map<string, Set<number>>()
  let isClosed = false

  function connect(page: number) {
    if (isClosed) return
    let hasFailed = false
    const fail = () => {
      if (hasFailed) return
      hasFailed = true
      connected.delete(page)
      request.destroy()
      setTimeout(connect, reconnectMs, page).unref()
    }
    const request = get(`${origin}/api/events?map=${mapId}`, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) return fail()
      let rest = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        const events = `${rest}${text}`.split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          if (event.startsWith('event: open')) connected.add(page)
          for (const [id, pages] of hearing) if (event.includes(`"subject":"${id}"`)) pages.add(page)
        }
      })
      answer.once('close', fail)
    })
    request.once('error', fail)
    requests.set(page, request)
  }
  for (let page = 0; page < count; page++) connect(page)

  async function until(isDone: () => boolean, withinMs: number): Promise<boolean> {
    for (const end = Date.now() + withinMs; !isDone(); await wait(50)) if (Date.now() > end) return false
    return true
  }

  return {
    async connected() {
      const start = Date.now()
      if (!(await until(() => connected.size === count, 60_000)))
        throw new Error(`Only ${connected.size} of ${count} pages are connected.`)
      return Date.now() - start
    },
    async countHearing(featureId) {
      const pages = new Set<number>()
      hearing.set(featureId, pages)
      await until(() => pages.size === count, 10_000)
      hearing.delete(featureId)
      return pages.size
    },
    close() {
      isClosed = true
      for (const request of requests.values()) request.destroy()
    },
  }
}
