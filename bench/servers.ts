import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProcess, startNode } from '#test/server/processes.ts'
import { askFor } from './answers-per-second.ts'
import { startProgram } from './commands.ts'
import { median, percentile, type Row, rounded } from './row.ts'

const rounds = 5
const seconds = 2
const connections = 50
const map = '/api/maps/pine-ridge'

const paths = [
  ['tile', `${map}/tiles/14/3134/6537.mvt`],
  ['list of 50', `${map}/features?limit=50`],
  ['details', `${map}/features/parcel-1`],
] as const

/** Two servers on one port against one, and a list against the same bytes from a bare server. */
export async function measureServers(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-bench-'))
  try {
    await using one = start(1, join(folder, 'one'))
    await using two = start(2, join(folder, 'two'))
    const [alone, both] = await Promise.all([readyAt(one), readyAt(two)])
    const rows: Row[] = []
    for (const [what, path] of paths) {
      const [single, several] = await compare(
        () => ask(alone, path),
        () => ask(both, path),
      )
      rows.push({
        figure: `${what}: two servers against one`,
        value: ratioOf(several, single),
        unit: 'times',
        atLeast: 1.6,
        note: `${rateOf(several)} against ${rateOf(single)} requests a second`,
      })
    }
    return [...rows, ...(await compareList(alone, folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareList(address: string, folder: string): Promise<Row[]> {
  const [, [what, path]] = paths
  const file = join(folder, 'list.json')
  writeFileSync(file, Buffer.from(await (await fetch(`${address}${path}`)).arrayBuffer()))
  await using bare = startNode('bench/bare-server.ts', [file])
  const bareAddress = await readyAt(bare)
  const [ours, bares] = await compare(
    () => ask(address, path),
    () => ask(bareAddress, '/'),
  )
  const times = ours.flatMap((round) => round.times)
  return [
    {
      figure: `${what} against bare node:http`,
      value: ratioOf(ours, bares),
      unit: 'times',
      atLeast: 0.3,
      note: `${rateOf(ours)} against ${rateOf(bares)} requests a second`,
    },
    {
      figure: `${what}: p99 against its median`,
      value: rounded(percentile(times, 99) / median(times), 1),
      unit: 'times',
      limit: 3,
    },
  ]
}

function start(servers: number, folder: string) {
  const settings = { SERVERS: String(servers), TILE_WORKERS: '1', RATE_LIMIT_PER_MINUTE: '100000000' }
  const env = { ...process.env, PORT: '0', DATA_DIR: folder, BASE_MAP_STREET_URL: 'off', ...settings }
  return startProgram(env)
}

async function readyAt(server: RunningProcess): Promise<string> {
  const [, address = ''] = await server.waitFor(/ready: (http\S+)/)
  return address
}

type Round = Awaited<ReturnType<typeof askFor>>

const ask = (address: string, path: string) =>
  askFor(seconds, { address, path, connections, encoding: 'identity' })

/** Alternating, so that other load affects both; the first round is a warm-up. */
async function compare(one: () => Promise<Round>, other: () => Promise<Round>): Promise<[Round[], Round[]]> {
  const [ones, others]: [Round[], Round[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [first, second] = [await one(), await other()]
    if (round === 0) continue
    ones.push(first)
    others.push(second)
  }
  return [ones, others]
}

const ratioOf = (ones: readonly Round[], others: readonly Round[]) =>
  rounded(median(ones.map(({ rate }, round) => rate / (others[round]?.rate ?? Number.NaN))), 2)

const rateOf = (of: readonly Round[]) => median(of.map(({ rate }) => rate)).toFixed(0)
