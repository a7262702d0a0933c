import { fileURLToPath } from 'node:url'

// The scripts run on whatever Node a machine has (20 or newer), before anything is installed: plain
// JavaScript, and nothing but Node's own modules.

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export const say = (text) => process.stdout.write(`${text}\n`)

export function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Seconds since an instant (Date.now()), as people read them. */
export const secondsSince = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`
