import { setTimeout as passed } from 'node:timers/promises'
import { attacks } from './attacks.ts'
import { DemoClient } from './demo-client.ts'

/** Keeps to the default RATE_LIMIT_PER_MINUTE, which is off here as both clients share an address. */
const requestsPerMinute = 1_200

const [what, url = ''] = process.argv.slice(2)
const attack = attacks.find((one) => one.what === what)
if (!attack) throw new Error(`There is no attack '${what}'`)
const attackers = { editor: await DemoClient.signIn(url, 'rosa'), visitor: new DemoClient(url) }
await attack.prepare?.(attackers)
console.log('attacking')
const pauseMs = (attack.atOnce * 60_000) / (attack.perMinute ?? requestsPerMinute)
await Promise.all(
  Array.from({ length: attack.atOnce }, async () => {
    for (;;) {
      const start = performance.now()
      await attack.once(attackers).catch(() => {})
      // Answers that take long must not make it rarer.
      await passed(attack.perMinute ? pauseMs - (performance.now() - start) : pauseMs)
    }
  }),
)
