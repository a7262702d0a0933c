import type { Browser, Page } from '@playwright/test'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { type Box, boxOfMap, pagePath, viewerPath, views, withBrowser, withPage } from './browser.ts'
import { maps } from './filled-database.ts'
import { withPages } from './page-server.ts'
import type { MapActions } from './pages/geojson.ts'
import { median, type Row, rounded } from './row.ts'
import { countText, largeCount, tenthCount } from './scale.ts'
import { timeChange, watchCanvas } from './visible-change.ts'

const repetitions = 3
const peerTimeoutMs = 180_000
const view = views.all
const types = assetTypes.slice(0, repetitions)

type Times = { layer: number[]; filter: number[] }
type UserActions = {
  layer(isShown: boolean): Promise<unknown>
  filter(type: string | null): Promise<unknown>
}

/** The time until the map shows a switched layer or filter; the GeoJSON source has a tenth of the features. */
export function measureToggles(): Promise<Row[]> {
  return withPages(({ address, geoJsonOf }) =>
    withBrowser(async (browser) => {
      const { box, ours } = await timeViewer(browser, `${address}${viewerPath(maps.large, view)}`)
      const peer = pagePath({ page: 'geojson', data: await geoJsonOf(tenthCount) }, view, box)
      const peers = await timePeer(browser, `${address}${peer}`)
      return (['layer', 'filter'] as const).map((subject) => {
        const [one, other] = [median(ours[subject]), median(peers[subject])]
        return {
          figure: `${subject} toggle at ${countText(largeCount)} against a GeoJSON source at ${countText(tenthCount)}`,
          value: rounded(one / other, 2),
          unit: 'times',
          limit: 1,
          note: `${one.toFixed(0)} against ${other.toFixed(0)} ms from click to last change of the picture, medians of ${2 * repetitions}`,
        }
      })
    }),
  )
}

function timeViewer(browser: Browser, address: string): Promise<{ box: Box; ours: Times }> {
  const work = async (page: Page) => {
    const box = await boxOfMap(page)
    await page.getByRole('tab', { name: 'Layers & Filters' }).click()
    await page.locator('[data-map-state=complete]').waitFor()
    const ours = await timeActions(page, {
      layer: (isShown) => page.getByRole('checkbox', { name: 'Lines' }).setChecked(isShown),
      filter: (type) => page.getByLabel('Asset type').selectOption(type ?? 'all'),
    })
    return { box, ours }
  }
  return withPage(browser, address, work, { beforeLoad: watchCanvas })
}

function timePeer(browser: Browser, address: string): Promise<Times> {
  type PeerWindow = { actions: MapActions; beginChange(): void }
  const work = (page: Page) =>
    timeActions(page, {
      layer: (isShown) =>
        page.evaluate((shown) => {
          const { actions, beginChange } = window as unknown as PeerWindow
          beginChange()
          actions.showLayer('line', shown)
        }, isShown),
      filter: (type) =>
        page.evaluate((wanted) => {
          const { actions, beginChange } = window as unknown as PeerWindow
          beginChange()
          actions.filterAssets(wanted)
        }, type),
    })
  return withPage(browser, address, work, { beforeLoad: watchCanvas, timeoutMs: peerTimeoutMs })
}

async function timeActions(page: Page, actions: UserActions): Promise<Times> {
  const times: Times = { layer: [], filter: [] }
  for (const type of types) {
    for (const isShown of [false, true])
      times.layer.push(await timeChange(page, () => actions.layer(isShown)))
    for (const wanted of [type, null]) times.filter.push(await timeChange(page, () => actions.filter(wanted)))
  }
  return times
}
