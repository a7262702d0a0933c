const hourMs = 3_600_000

export type Upkeep = { close(): Promise<void> }

/** Does the work each hour, which several servers may do at once. */
export function startUpkeep(work: (now: number) => Promise<void>, onError: (error: unknown) => void): Upkeep {
  let underWay = Promise.resolve()
  const timer = setInterval(() => {
    underWay = work(Date.now()).catch(onError)
  }, hourMs).unref()
  return {
    close() {
      clearInterval(timer)
      return underWay
    },
  }
}
