import { filledDatabase, maps, withServer } from './filled-database.ts'
import { centers } from './generate-features.ts'
import { median, percentile, type Row, rounded } from './row.ts'
import { countText, largeCount } from './scale.ts'

const questions = 200
/** Half the side of the box in view, in degrees. */
const around = 0.05

/** Pages of OGC API - Features as QGIS requests them: the first, and those in a box around a town. */
export async function measureOgcItems(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const)
    rows.push(
      ...(await withServer(await filledDatabase(engine), async ({ address }) => {
        const items = `${address}/ogc/${maps.large}/collections/parcels/items`
        const pages = [
          { what: 'a page of 100', url: () => `${items}?limit=100`, limit: 250 },
          { what: 'a page of 1,000', url: () => `${items}?limit=1000` },
          {
            what: 'a page of 100 in a box',
            url: (index: number) => `${items}?limit=100&bbox=${boxAt(index)}`,
            limit: 250,
          },
        ]
        const measured: Row[] = []
        for (const { what, url, limit } of pages) {
          const times = await ask(url)
          measured.push({
            figure: `OGC items of ${countText(largeCount)}: ${what}, p95 (${engine})`,
            value: rounded(percentile(times, 95)),
            unit: 'ms',
            ...(limit === undefined ? {} : { limit }),
            note: `median ${rounded(median(times))} ms of ${questions}`,
          })
        }
        return measured
      })),
    )
  return rows
}

function boxAt(index: number): string {
  const { lng, lat } = centers[index % centers.length] ?? { lng: 0, lat: 0 }
  return [lng - around, lat - around, lng + around, lat + around].join(',')
}

async function ask(urlOf: (index: number) => string): Promise<number[]> {
  const times: number[] = []
  // The first request is a warm-up.
  for (let index = -1; index < questions; index++) {
    const start = performance.now()
    const answer = await fetch(urlOf(Math.max(0, index)))
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${urlOf(index)}: ${answer.status}`)
    if (index >= 0) times.push(performance.now() - start)
  }
  return times
}
