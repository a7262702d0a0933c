import { Worker } from 'node:worker_threads'

/** Bytes that the process may take in all. */
const mostBytes = 1024 ** 3
const lookMs = 100

/** GDAL works without a pause: what watches over it is a thread. It ends the process that takes too much, or that nobody waits for. */
export function startWatch() {
  const watch = (limit: number, pauseMs: number, parent: number) =>
    setInterval(() => {
      if (process.memoryUsage.rss() > limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    }, pauseMs)
  const code = `(${watch})(${mostBytes}, ${lookMs}, ${process.ppid})`
  new Worker(code, { eval: true }).unref()
}
