import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'
import { anAsset, anIncident, aParcel, point, square } from '#test/databases/feature-builders.ts'
import { type Ask, onLargeDatabases } from './large-databases.ts'
import { type Row, rounded } from './row.ts'

const featureCount = 100_000
const limitMs = 100
const searches = ['', 'status=operational,unresolved&']
const offsets = [0, featureCount / 2, featureCount - 100]

/** 100,000 features: the slowest page, and the slowest position of a row, in any order. */
export function measureFeatureTable(): Promise<Row[]> {
  return onLargeDatabases({
    fill,
    async measure(ask, engine) {
      const address = '/api/maps/large/features'
      const orders = ['', ...featureSorts.map((sort) => `sort=${sort}&`)]
      const queries = orders.flatMap((order) => searches.map((search) => `${search}${order}`))
      const pages = queries.flatMap((query) => offsets.map((offset) => `${address}?${query}offset=${offset}`))
      const fields = 'fields=buildings,area,zoning.type,description,resolvedDate,installDate&'
      const positions = queries.map((query) => `${address}/f77777/position?${query}`)
      const plain = await slowest(ask, pages)
      const withFields = await slowest(
        ask,
        pages.map((page) => page.replace('?', `?${fields}`)),
      )
      return [
        { figure: `slowest page of 100,000 rows (${engine})`, ...plain },
        {
          figure: `the same with six more fields (${engine})`,
          value: rounded(withFields.value / plain.value, 2),
          unit: 'times',
        },
        { figure: `slowest position in 100,000 rows (${engine})`, ...(await slowest(ask, positions)) },
      ]
    },
  })
}

async function slowest(ask: Ask, urls: readonly string[]) {
  const single: { url: string; milliseconds: number }[] = []
  for (const url of urls) single.push({ url, milliseconds: await ask(url, 1) })
  const suspects = single.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 5)
  let value = 0
  for (const { url } of suspects) value = Math.max(value, Math.round(await ask(url)))
  return { value, unit: 'ms', limit: limitMs }
}

async function fill(database: Database) {
  const random = countingRandom()
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
  const words = ['Cedar', 'Oak', 'Pine', 'Ridge', 'Creek', 'Hollow', 'Lane', 'North', 'Tank', 'Hydrant']
  const make = (index: number) => {
    const [lng, lat] = [-111 + random(), 34 + random()]
    const name = `${pick(words)} ${pick(words)} ${Math.floor(random() * 5_000)}`
    const parcelId = random() < 0.8 ? `f${Math.floor(random() * (featureCount / 10)) * 10}` : null
    const description = 'What there is to be seen here, and since when. '.repeat(4)
    const common = { id: `f${index}`, mapId: 'large', description }
    const share = index % 10
    if (share < 5) return aParcel({ ...common, name, geometry: square(lng, lat, 0.001) })
    const geometry = point(lng, lat)
    if (share < 8) {
      const status = pick(['operational', 'operational', 'maintenance', 'offline'] as const)
      return anAsset({ ...common, name, parcelId, geometry, status, type: pick(assetTypes) })
    }
    const date = new Date(1.6e12 + random() * 1.6e11).toISOString()
    const severity = pick([...severities, null])
    const resolved = random() < 0.5
    const kinds = { type: pick(incidentTypes), severity, date, resolved }
    return anIncident({ ...common, ...kinds, title: name, parcelId, geometry })
  }
  await database.write(async (transaction) => {
    await insertClient(transaction, { id: 'large', name: 'Large', location: '', thumbnail: null }, 0)
    for (let start = 0; start < featureCount; start += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => toFeatureRow(make(start + index), { now: 0 }))
      await insertFeatures(transaction, database.engine, rows)
    }
  })
}

/** The same numbers in every run. */
function countingRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
