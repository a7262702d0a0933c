import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'

// Work that would block this process is done in threads: they are sent questions, and send answers.

export type Threads<Question, Answer> = {
  /** Asks the thread that has least to do. */
  ask(question: Question): Promise<Answer>
  close(): Promise<void>
}

type Numbered<Question> = { number: number; question: Question }
/** Errors are sent as message and code: a cloned Error would lose its code. */
type Answered<Answer> = { number: number } & (
  | { answer: Answer }
  | { failure: { message: string; code: string | undefined } }
)

/** Starts threads with a file that calls `answerQuestions`. A thread that dies is replaced. */
export function startThreads<Question, Answer>(
  file: URL,
  count: number,
  options: WorkerOptions,
): Threads<Question, Answer> {
  type Waiting = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  type Thread = { worker: Worker; waiting: Map<number, Waiting> }
  let asked = 0
  let isClosed = false
  const threads: Thread[] = Array.from({ length: count }, startThread)

  function startThread(): Thread {
    const worker = new Worker(file, options)
    const thread: Thread = { worker, waiting: new Map() }
    worker.unref()
    worker.on('message', (answered: Answered<Answer>) => {
      const waiting = thread.waiting.get(answered.number)
      thread.waiting.delete(answered.number)
      if (thread.waiting.size === 0 && !isClosed) worker.unref()
      if ('answer' in answered) waiting?.resolve(answered.answer)
      else
        waiting?.reject(Object.assign(new Error(answered.failure.message), { code: answered.failure.code }))
    })
    let reason: unknown = new Error('a thread stopped')
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      for (const { reject } of thread.waiting.values()) reject(reason)
      if (!isClosed) threads[threads.indexOf(thread)] = startThread()
    })
    return thread
  }

  return {
    ask(question) {
      const thread = threads.reduce((least, other) =>
        other.waiting.size < least.waiting.size ? other : least,
      )
      const numbered: Numbered<Question> = { number: ++asked, question }
      return new Promise((resolve, reject) => {
        thread.waiting.set(numbered.number, { resolve, reject })
        // An outstanding question keeps the process alive; an idle thread does not.
        thread.worker.ref()
        thread.worker.postMessage(numbered)
      })
    },
    async close() {
      isClosed = true
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

/**
 * In the thread: answers questions, up to `atOnce` at a time. Buffers of an answer that `toHandOver` names are
 * transferred; all others are copied, each with all of the memory that it is a view of.
 */
export function answerQuestions<Question, Answer>(
  atOnce: number,
  answer: (question: Question) => Answer | Promise<Answer>,
  toHandOver: (answer: Answer) => ArrayBuffer[] = () => [],
) {
  const waiting: Numbered<Question>[] = []
  let underWay = 0

  parentPort?.on('message', (numbered: Numbered<Question>) => {
    waiting.push(numbered)
    void work()
  })

  async function work() {
    if (underWay >= atOnce) return
    underWay++
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next)
    underWay--
  }

  async function send({ number, question }: Numbered<Question>) {
    const post = (answered: Answered<Answer>, handedOver: ArrayBuffer[] = []) =>
      parentPort?.postMessage(answered, handedOver)
    try {
      const made = await answer(question)
      post({ number, answer: made }, toHandOver(made))
    } catch (error) {
      const { message, code } = error as { message: string; code?: string }
      post({ number, failure: { message, code } })
    }
  }
}
