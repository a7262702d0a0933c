import { isMainThread } from 'node:worker_threads'

// A killed script cannot pass signals on, but its channel to this process closes.

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
