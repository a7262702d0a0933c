import { fileURLToPath } from 'node:url'

// Scripts run on Node 20 or newer, before anything is installed: plain JavaScript without packages.

export const root = fileURLToPath(new URL('..', import.meta.url))

export const say = (text) => process.stdout.write(`${text}\n`)

export function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** '1.5 s' since an instant in milliseconds. */
export const secondsSince = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`
