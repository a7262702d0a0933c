import { setTimeout as passed } from 'node:timers/promises'
import { attacks } from './attacks.ts'
import { DemoClient } from './demo-client.ts'

/** The usual limit of requests of one address (RATE_LIMIT_PER_MINUTE), which is off for both clients to be told apart. */
const requestPauseMs = 50

// Does what is named, to the server at an address, until it is stopped.
const [what, url = ''] = process.argv.slice(2)
const attack = attacks.find((one) => one.what === what)
if (!attack) throw new Error(`There is no attack '${what}'`)
const attackers = { editor: await DemoClient.signIn(url, 'rosa'), visitor: new DemoClient(url) }
await attack.prepare?.(attackers)
console.log('attacking')
await Promise.all(
  Array.from({ length: attack.atOnce }, async () => {
    for (;;) {
      await attack.once(attackers).catch(() => {})
      await passed(attack.atOnce * requestPauseMs)
    }
  }),
)
