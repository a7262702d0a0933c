import type { Browser } from '@playwright/test'
import {
  type Box,
  boxOfMap,
  framesOfPan,
  heapBytes,
  pagePath,
  tilesOf,
  type View,
  viewerPath,
  views,
  withBrowser,
  withPage,
} from './browser.ts'
import { maps } from './filled-database.ts'
import { type PageServer, withPages } from './page-server.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, smallCount } from './scale.ts'

const runs = 5
const panRounds = 3

/** A million features, fifty, and as the floor a bare page with the same base map and tiles. */
type Subject = 'large' | 'small' | 'floor'
const subjects: Subject[] = ['large', 'small', 'floor']
type Samples = Record<Subject, number[]>
const noSamples = (): Samples => ({ large: [], small: [], floor: [] })

const large = countText(largeCount)

export function measureMillionFrames(): Promise<Row[]> {
  return withPages((server) =>
    withBrowser(async (browser) => {
      const rows: Row[] = []
      for (const view of Object.values(views)) rows.push(...(await firstFrames(browser, server, view)))
      rows.push(...(await pan(browser, server, views.towns)))
      return rows
    }),
  )
}

function addressOf(subject: Subject, { address, baseMapUrl }: PageServer, view: View, box: Box): string {
  if (subject === 'large' || subject === 'small') return `${address}${viewerPath(maps[subject], view)}`
  return `${address}${pagePath({ page: 'floor', data: tilesOf(maps.large), baseMapUrl }, view, box)}`
}

/** Measured first: loading it also warms the server. */
function mapBox(browser: Browser, { address }: PageServer, view: View): Promise<Box> {
  return withPage(browser, `${address}${viewerPath(maps.large, view)}`, boxOfMap)
}

async function firstFrames(browser: Browser, server: PageServer, view: View): Promise<Row[]> {
  const times = noSamples()
  const heaps = noSamples()
  const box = await mapBox(browser, server, view)
  // Alternating, so that other load affects all; the first round is a warm-up.
  for (let run = 0; run <= runs; run++)
    for (const subject of subjects)
      await withPage(browser, addressOf(subject, server, view, box), async (page, firstFrameMs) => {
        if (run === 0) return
        times[subject].push(firstFrameMs)
        heaps[subject].push(await heapBytes(page))
      })
  const compare = (samples: Samples, to: Subject, unit: string, scale: number) => {
    const [one, other] = [median(samples.large), median(samples[to])]
    const text = `${rounded(one / scale, 1)} against ${rounded(other / scale, 1)} ${unit}, medians of ${runs}`
    return { value: rounded(one / other, 2), unit: 'times', note: text }
  }
  const frame = `first complete frame, ${large} against`
  return [
    {
      figure: `${frame} ${smallCount} (${view.name})`,
      ...compare(times, 'small', 'ms', 1),
      limit: 1.5,
    },
    { figure: `${frame} the floor (${view.name})`, ...compare(times, 'floor', 'ms', 1), limit: 1.1 },
    {
      figure: `JavaScript heap, ${large} against ${smallCount} (${view.name})`,
      ...compare(heaps, 'small', 'MB', 1e6),
      limit: 1.5,
    },
  ]
}

async function pan(browser: Browser, server: PageServer, view: View): Promise<Row[]> {
  const frames = noSamples()
  const box = await mapBox(browser, server, view)
  const panned = ['large', 'floor'] as const
  for (let round = 0; round < panRounds; round++)
    for (const subject of panned)
      await withPage(browser, addressOf(subject, server, view, box), async (page) => {
        frames[subject].push(...(await framesOfPan(page, box)))
      })
  const [ours, theirs] = [median(frames.large), median(frames.floor)]
  return [
    {
      figure: `pan, median frame at ${large} against the floor (${view.name})`,
      value: rounded(ours / theirs, 2),
      unit: 'times',
      note: `${ours.toFixed(1)} against ${theirs.toFixed(1)} ms, over ${frames.large.length} and ${frames.floor.length} frames`,
      limit: 1.05,
    },
  ]
}
