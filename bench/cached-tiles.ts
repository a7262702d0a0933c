import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startNode } from '#test/server/processes.ts'
import { answersPerSecond } from './answers-per-second.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import { median, type Row, rounded } from './row.ts'
import { sampleTiles, tilePath } from './sample-tiles.ts'

const rounds = 5
const seconds = 2
/** The fullest tile of a low zoom, and a typical one of a high zoom. */
const chosen = [
  { z: 7, number: 0 },
  { z: 14, number: 2 },
]

/** Requests per second for a cached tile, and for the same bytes from a bare server. */
export async function measureCachedTiles(): Promise<Row[]> {
  const location = await filledDatabase('sqlite')
  const tiles = await sampleTiles(location, maps.large, { fullest: 1, others: 2 })
  return withServer(location, async ({ address }) => {
    const rows: Row[] = []
    for (const { z, number } of chosen) {
      const tile = tiles.filter((one) => one.z === z)[number]
      if (!tile) throw new Error(`too few tiles at zoom ${z}`)
      rows.push(...(await compare(address, tilePath(maps.large, tile), location.dataDirectory)))
    }
    return rows
  })
}

async function compare(address: string, path: string, folder: string): Promise<Row[]> {
  const answer = await fetch(`${address}${path}`)
  // fetch has decompressed it: compressed again as the server does.
  const bytes = gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 6 })
  const file = join(folder, 'tile.mvt.gz')
  writeFileSync(file, bytes)
  await using bare = startNode('bench/bare-server.ts', [file])
  const [, bareAddress = ''] = await bare.waitFor(/ready: (http\S+)/)
  const ours: number[] = []
  const bares: number[] = []
  // Alternating, so that other load affects both; the first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [
      await answersPerSecond(address, path, seconds),
      await answersPerSecond(bareAddress, '/', seconds),
    ]
    if (round === 0) continue
    ours.push(one)
    bares.push(other)
  }
  const size = `${(bytes.length / 1000).toFixed(1)} kB gzipped`
  return [
    {
      figure: `cached tile against bare node:http (${size})`,
      value: rounded(median(ours.map((rate, round) => rate / (bares[round] as number))), 2),
      unit: 'times',
      atLeast: 0.5,
      note: `${median(ours).toFixed(0)} against ${median(bares).toFixed(0)} requests a second`,
    },
  ]
}
