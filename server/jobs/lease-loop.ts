export type LeaseLoop = {
  check(): Promise<void>
  work(): Promise<void>
  close(): Promise<void>
}

type LoopOptions<Turn> = {
  /** Leases due work. Returns undefined if none is due or the limit is reached. Never called concurrently. */
  take(runningCount: number): Promise<Turn | undefined>
  run(turn: Turn): Promise<void>
  /** Called for the first of several failures in a row, such as while the database is unreachable. */
  onError(error: unknown): void
  pollMs: number | null
}

/** Runs work that rows describe: leases it, so that any server process may do it, and limits concurrency. */
export function startLeaseLoop<Turn>({ take, run, onError, pollMs }: LoopOptions<Turn>): LeaseLoop {
  const running = new Set<Promise<void>>()
  let isClosed = false
  let isFailing = false
  let filling: Promise<void> | undefined
  let mustCheckAgain = false
  let timer: NodeJS.Timeout | undefined

  function check(): Promise<void> {
    mustCheckAgain = true
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  async function fill() {
    try {
      while (mustCheckAgain && !isClosed) {
        mustCheckAgain = false
        for (let turn = await take(running.size); turn; turn = await take(running.size)) {
          start(turn)
          if (isClosed) return
        }
      }
      isFailing = false
    } catch (error) {
      fail(error)
    }
  }

  function start(turn: Turn) {
    const work = run(turn)
      .then(() => void check(), fail)
      .finally(() => running.delete(work))
    running.add(work)
  }

  function fail(error: unknown) {
    if (!isFailing) onError(error)
    isFailing = true
  }

  function schedule() {
    if (isClosed || pollMs === null) return
    timer = setTimeout(() => void check().then(schedule), pollMs).unref()
  }
  schedule()

  return {
    check,
    async work() {
      await check()
      while (filling || running.size > 0) await Promise.all([filling, ...running])
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await filling
      await Promise.all(running)
    },
  }
}
