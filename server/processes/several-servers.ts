import cluster, { type Worker } from 'node:cluster'

// With SERVERS, several processes serve one port. The first process serves nothing: it migrates, does the work in the
// background, and keeps the state that the others share.

/** Whether this process is one of several servers. */
export const isOneOfSeveral = cluster.isWorker

type Question = { ask: string; number: number; args: unknown[] }
type Answer = { answers: number; value?: unknown; failure?: string }
type News = { topic: string; value: unknown }

type Handler = (...args: never[]) => unknown

/** In the first process. Arguments and results are JSON. */
export function answerServers(handlers: Readonly<Record<string, Handler>>) {
  cluster.on('message', async (worker: Worker, message: Question) => {
    const { ask, number, args } = message
    const handler = handlers[ask]
    if (!handler) return
    let answer: Answer
    try {
      answer = { answers: number, value: await handler(...(args as never[])) }
    } catch (error) {
      answer = { answers: number, failure: (error as Error).message }
    }
    tell(worker, answer)
  })
}

/** A server that has just ended needs no message. */
function tell(worker: Worker, message: Answer | News) {
  if (worker.isConnected()) worker.send(message, () => {})
}

type Waiting = { resolve(value: unknown): void; reject(error: Error): void }
const waiting = new Map<number, Waiting>()
const listeners = new Map<string, (value: never) => void>()
let lastNumber = 0

if (isOneOfSeveral)
  process.on('message', (message: Answer | News) => {
    if ('topic' in message) return listeners.get(message.topic)?.(message.value as never)
    const { answers, value, failure } = message
    const caller = waiting.get(answers)
    waiting.delete(answers)
    if (failure === undefined) caller?.resolve(value)
    else caller?.reject(new Error(failure))
  })

/** Asks the first process. Never answered if that has ended, as this one ends with it. */
export function askFirst<Result>(ask: string, ...args: unknown[]): Promise<Result> {
  return new Promise<unknown>((resolve, reject) => {
    const number = ++lastNumber
    waiting.set(number, { resolve, reject })
    process.send?.({ ask, number, args } satisfies Question)
  }) as Promise<Result>
}

export function tellServers(topic: string, value: unknown) {
  for (const worker of Object.values(cluster.workers ?? {})) if (worker) tell(worker, { topic, value })
}

export function onNews<Value>(topic: string, listener: (value: Value) => void) {
  listeners.set(topic, listener)
}

type ServersOptions = {
  count: number
  /** All serve. */
  onReady(address: { port: number }): void
  /** One ended by itself, and another is started. */
  onLost(): void
  /** One ended before all served, after it has said why. */
  onFailed(): void
}

const restartMs = 1_000

/** Starts copies of this program. Closing lets them finish their requests. */
export function startServers({ count, onReady, onLost, onFailed }: ServersOptions) {
  const listening = new Set<number>()
  let isReady = false
  let isClosing = false
  cluster.on('listening', ({ id }, { port }) => {
    listening.add(id)
    if (isReady || listening.size < count) return
    isReady = true
    onReady({ port })
  })
  cluster.on('exit', () => {
    if (isClosing) return
    if (!isReady) return onFailed()
    // A signal for all processes ends the servers first.
    setTimeout(() => {
      if (isClosing) return
      onLost()
      cluster.fork()
    }, restartMs)
  })
  for (let number = 0; number < count; number++) cluster.fork()
  return {
    async close() {
      isClosing = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const ends = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(ends)
    },
  }
}
