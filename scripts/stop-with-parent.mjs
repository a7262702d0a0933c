import { isMainThread } from 'node:worker_threads'

// Loaded into what the scripts start: should a script be killed outright, it cannot pass on any signal, but
// the channel between the two closes.

if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
