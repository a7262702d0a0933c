import { setTimeout as passed } from 'node:timers/promises'
import { attacks } from './attacks.ts'
import { DemoClient } from './demo-client.ts'

/** Keeps to the default RATE_LIMIT_PER_MINUTE, which is off here as both clients share an address. */
const requestPauseMs = 50

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
