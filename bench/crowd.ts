import { Agent, request } from 'node:http'
import { setTimeout as passed } from 'node:timers/promises'

// node bench/crowd.ts ADDRESS MAP SECONDS: clients that search, give up after a second and retry. Prints how many were
// answered.

export type CrowdResult = { answered: number; refused: number; givenUp: number }

const clients = 2_000
const giveUpMs = 1_000
/** 2,000 people, each with a new search every five seconds. */
const pauseMs = 5_000

const searches = [
  'text=a',
  'text=a+b+c+d+e+f+g+h',
  `text=${'a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+'.repeat(6)}`.slice(0, 200),
  'text=what+there+is+to+be+seen&sort=-name',
  'text=feature&status=operational&offset=5000',
  'kind=parcel&shape=line',
  'sort=status&offset=50000',
  'since=2025-01-01&severity=high',
  'bbox=-120,20,-60,50&shape=polygon',
]

const [, , address = '', mapId = '', seconds = ''] = process.argv
const url = new URL(`/api/maps/${mapId}/features`, address)
if (url.hostname !== 'localhost' && url.hostname !== '127.0.0.1') throw new Error('only against this machine')
const end = performance.now() + Math.min(120, Number(seconds)) * 1_000
const result: CrowdResult = { answered: 0, refused: 0, givenUp: 0 }

await Promise.all(Array.from({ length: clients }, (_, number) => live(number)))
console.log(`result ${JSON.stringify(result)}`)
process.exit(0)

async function live(number: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  // From many addresses, as a server may limit each of them.
  const localAddress = process.platform === 'linux' ? `127.0.${1 + (number % 200)}.1` : undefined
  await passed((pauseMs * number) / clients)
  for (let round = number; performance.now() < end; round++) {
    const search = searches[round % searches.length]
    result[await ask(`${url.pathname}?${search}`, agent, localAddress)]++
    await passed(Math.min(pauseMs, Math.max(0, end - performance.now())))
  }
  agent.destroy()
}

function ask(path: string, agent: Agent, localAddress: string | undefined): Promise<keyof CrowdResult> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: url.port, path, agent, localAddress }
    const sent = request(options, (answer) => {
      answer.resume()
      answer.once('end', () => finish(answer.statusCode === 200 ? 'answered' : 'refused'))
    })
    const timer = setTimeout(() => {
      sent.destroy()
      finish('givenUp')
    }, giveUpMs)
    const finish = (outcome: keyof CrowdResult) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    sent.once('error', () => finish('givenUp'))
    sent.end()
  })
}
