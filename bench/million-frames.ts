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
import { withPages } from './page-server.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, smallCount } from './scale.ts'

const runs = 5
const panRounds = 3

const large = countText(largeCount)

/** The viewer over a million features, over fifty, and a bare page over the tiles of the million. */
export function measureMillionFrames(): Promise<Row[]> {
  return withPages((server) =>
    withBrowser(async (browser) => {
      const rows: Row[] = []
      for (const view of Object.values(views))
        rows.push(...(await firstFrames(browser, server.address, view)))
      rows.push(await pan(browser, server.address, views.towns))
      return rows
    }),
  )
}

type Times = { large: number[]; small: number[]; floor: number[] }

async function firstFrames(browser: Browser, address: string, view: View): Promise<Row[]> {
  const at: Times = { large: [], small: [], floor: [] }
  const heaps = { large: [] as number[], small: [] as number[] }
  let box: Box | undefined
  // In turns, so that what else the machine does meets all of them; the first round warms the server.
  for (let run = 0; run <= runs; run++) {
    const round = { large: 0, small: 0, floor: 0 }
    for (const size of ['large', 'small'] as const)
      await withPage(browser, `${address}${viewerPath(maps[size], view)}`, async (page, firstFrameMs) => {
        round[size] = firstFrameMs
        box ??= await boxOfMap(page)
        if (run > 0) heaps[size].push(await heapBytes(page))
      })
    const floor = pagePath('floor', tilesOf(maps.large), view, box as Box)
    await withPage(browser, `${address}${floor}`, (_, firstFrameMs) => {
      round.floor = firstFrameMs
    })
    if (run > 0) for (const size of ['large', 'small', 'floor'] as const) at[size].push(round[size])
  }
  const [largeMs, smallMs, floorMs] = [median(at.large), median(at.small), median(at.floor)]
  const [largeHeap, smallHeap] = [median(heaps.large), median(heaps.small)]
  const milliseconds = (one: number, other: number) => `${one.toFixed(0)} against ${other.toFixed(0)} ms`
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  return [
    {
      figure: `first complete frame, ${large} against ${smallCount} (${view.name})`,
      value: rounded(largeMs / smallMs, 2),
      unit: 'times',
      limit: 1.5,
      note: `${milliseconds(largeMs, smallMs)}, medians of ${runs}`,
    },
    {
      figure: `first complete frame, ${large} against the floor (${view.name})`,
      value: rounded(largeMs / floorMs, 2),
      unit: 'times',
      limit: 1.3,
      note: `${milliseconds(largeMs, floorMs)}, medians of ${runs}`,
    },
    {
      figure: `JavaScript heap, ${large} against ${smallCount} (${view.name})`,
      value: rounded(largeHeap / smallHeap, 2),
      unit: 'times',
      limit: 1.5,
      note: `${megabytes(largeHeap)} against ${megabytes(smallHeap)} MB`,
    },
  ]
}

async function pan(browser: Browser, address: string, view: View): Promise<Row> {
  const frames = { large: [] as number[], floor: [] as number[] }
  for (let round = 0; round < panRounds; round++) {
    const box = await withPage(browser, `${address}${viewerPath(maps.large, view)}`, async (page) => {
      const map = await boxOfMap(page)
      frames.large.push(...(await framesOfPan(page, map)))
      return map
    })
    const floor = pagePath('floor', tilesOf(maps.large), view, box)
    await withPage(browser, `${address}${floor}`, async (page) => {
      frames.floor.push(...(await framesOfPan(page, box)))
    })
  }
  const [ours, floors] = [median(frames.large), median(frames.floor)]
  return {
    figure: `pan, median frame at ${large} against the floor (${view.name})`,
    value: rounded(ours / floors, 2),
    unit: 'times',
    limit: 1.2,
    note: `${ours.toFixed(1)} against ${floors.toFixed(1)} ms, over ${frames.large.length} and ${frames.floor.length} frames`,
  }
}
