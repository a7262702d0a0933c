import { missingPackages, startCluster } from './cluster.ts'

// npm run cluster [-- SERVERS]: starts a cluster of this product on this machine. See docs/scaling.md.

const say = (line: string) => console.log(line)

const count = Number(process.argv[2] ?? 3)
if (!Number.isInteger(count) || count < 1 || count > 9) {
  say('npm run cluster [-- SERVERS], with 1 to 9 servers')
  process.exit(2)
}
const missing = missingPackages()
if (missing.length > 0) {
  say(`Debian packages are missing: apt-get install ${missing.join(' ')}`)
  process.exit(1)
}

const stopping = new AbortController()
const stopped = new Promise<void>((resolve) =>
  stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

say('Starting, which takes about a minute ...')
try {
  const cluster = await startCluster({ servers: count, signal: stopping.signal })
  for (const [name, address] of Object.entries(cluster.addresses)) say(`${name.padEnd(20)}${address}`)
  say(`${'Logs'.padEnd(20)}${cluster.folder}`)
  say('\nThe cluster is ready. Ctrl+C stops it and deletes its data.')
  await stopped
  say('\nStopping.')
  await cluster.stop()
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
process.exit(0)
