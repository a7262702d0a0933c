import type { Browser } from '@playwright/test'
import { boxOfMap, pagePath, viewerPath, views, withBrowser, withPage } from './browser.ts'
import { maps } from './filled-database.ts'
import { type PageServer, withPages } from './page-server.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount } from './scale.ts'

const timeoutMs = 180_000
const peers = {
  geojson: 'MapLibre GeoJSON source',
  leaflet: 'Leaflet on canvas',
  deck: 'deck.gl GeoJsonLayer',
}
type Peer = keyof typeof peers
const peerNames = Object.keys(peers) as Peer[]

/** What happened to a peer: how long it took, or why it never came to a picture. */
type Outcome = { times: number[]; failure?: string }

const sizes = [
  // A peer's run at full size may take minutes: it has one, ours as many as before.
  { mapId: maps.tenth, count: tenthCount, runs: 3, atLeast: 2 },
  { mapId: maps.large, count: largeCount, runs: 1, atLeast: 20 },
]

/** The same features in view by the viewer and by what others would use, from navigation to first complete frame. */
export function measurePeers(): Promise<Row[]> {
  return withPages((server) =>
    withBrowser(async (browser) => {
      const rows: Row[] = []
      for (const size of sizes) rows.push(...(await compare(browser, server, size)))
      return rows
    }),
  )
}

async function compare(
  browser: Browser,
  { address, geoJsonOf }: PageServer,
  { mapId, count, runs, atLeast }: (typeof sizes)[number],
): Promise<Row[]> {
  const data = await geoJsonOf(count)
  const ours: number[] = []
  const outcomes: Record<Peer, Outcome> = {
    geojson: { times: [] },
    leaflet: { times: [] },
    deck: { times: [] },
  }
  const runOurs = () =>
    withPage(browser, `${address}${viewerPath(mapId, views.all)}`, async (page, firstFrameMs) => {
      ours.push(firstFrameMs)
      return boxOfMap(page)
    })
  const box = await runOurs()
  // It warmed the server.
  ours.length = 0
  for (let run = 0; run < runs; run++)
    for (const peer of peerNames) {
      await runOurs()
      await runPeer(browser, `${address}${pagePath({ page: peer, data }, views.all, box)}`, outcomes[peer])
    }
  return peerNames.map((peer) => rowOf(peer, outcomes[peer], { ours: median(ours), count, atLeast }))
}

async function runPeer(browser: Browser, address: string, outcome: Outcome) {
  if (outcome.failure) return
  try {
    await withPage(browser, address, (_, firstFrameMs) => outcome.times.push(firstFrameMs), { timeoutMs })
  } catch (error) {
    outcome.failure = (error as Error).message.split('\n')[0] as string
  }
}

type Ours = { ours: number; count: number; atLeast: number }

/** One that never came to a picture took longer than we waited: that, and no more, can be said of it. */
function rowOf(peer: Peer, { times, failure }: Outcome, { ours, count, atLeast }: Ours): Row {
  const row: Row = {
    figure: `first complete frame, ${peers[peer]} against ours at ${countText(count)}`,
    unit: 'times',
    atLeast,
  }
  const oursText = `ours ${ours.toFixed(0)} ms`
  const isLate = failure?.startsWith('over ')
  if (failure && !isLate) return { ...row, failed: failure, isPeer: true, note: oursText }
  const theirs = failure ? timeoutMs : median(times)
  const theirsText = failure ?? `${theirs.toFixed(0)} ms`
  return {
    ...row,
    value: rounded(theirs / ours, 1),
    note: `theirs ${theirsText}, ${oursText}${failure ? '; the ratio is at least this' : ''}`,
  }
}
