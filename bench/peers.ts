import type { Browser } from '@playwright/test'
import { boxOfMap, pagePath, viewerPath, views, withBrowser, withPage } from './browser.ts'
import { maps } from './filled-database.ts'
import { type PageServer, withPages } from './page-server.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount, usualCounts } from './scale.ts'

const timeoutMs = 180_000
const peers = {
  geojson: 'MapLibre GeoJSON source',
  leaflet: 'Leaflet on canvas',
  deck: 'deck.gl GeoJsonLayer',
}
type Peer = keyof typeof peers
const peerNames = Object.keys(peers) as Peer[]

type Outcome = { times: number[]; failure?: string }

type Size = { mapId: string; count: number; runs: number; atLeast: Partial<Record<Peer, number>> }

const allPeers = (atLeast: number) => ({ geojson: atLeast, leaflet: atLeast, deck: atLeast })

/** With few features, a page is little more than its engine: compared with the peer that has the same one. */
const sizes: Size[] = [
  { mapId: maps.thousand, count: usualCounts.thousand, runs: 5, atLeast: { geojson: 1 } },
  { mapId: maps.tenThousand, count: usualCounts.tenThousand, runs: 5, atLeast: { geojson: 1 } },
  { mapId: maps.tenth, count: tenthCount, runs: 3, atLeast: allPeers(1) },
  // A peer may take minutes at full size: it runs once.
  { mapId: maps.large, count: largeCount, runs: 1, atLeast: allPeers(20) },
]

/** From navigation to the first complete frame, with the same features and base map. */
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
  { address, baseMapUrl, geoJsonOf }: PageServer,
  { mapId, count, runs, atLeast }: Size,
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
  // It was a warm-up.
  ours.length = 0
  for (let run = 0; run < runs; run++)
    for (const peer of peerNames) {
      await runOurs()
      await runPeer(
        browser,
        `${address}${pagePath({ page: peer, data, baseMapUrl }, views.all, box)}`,
        outcomes[peer],
      )
    }
  return peerNames.map((peer) =>
    rowOf(peer, outcomes[peer], { ours: median(ours), count, atLeast: atLeast[peer] }),
  )
}

async function runPeer(browser: Browser, address: string, outcome: Outcome) {
  if (outcome.failure) return
  try {
    await withPage(browser, address, (_, firstFrameMs) => outcome.times.push(firstFrameMs), { timeoutMs })
  } catch (error) {
    outcome.failure = (error as Error).message.split('\n')[0] as string
  }
}

type Ours = { ours: number; count: number; atLeast: number | undefined }

/** A peer that never completed counts with its timeout, as a lower bound. */
function rowOf(peer: Peer, { times, failure }: Outcome, { ours, count, atLeast }: Ours): Row {
  const row: Row = {
    figure: `first complete frame, ${peers[peer]} against ours at ${countText(count)}`,
    unit: 'times',
    ...(atLeast === undefined ? {} : { atLeast }),
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
