import { type ReportState, reportNumber, reportStates } from '#domain/reports/report-states.ts'
import type { Person } from './person.ts'

// Rules about reports on all devices and on the server, checked after every step.

type Row = { id: string; number: number; state: ReportState; title: string }
type OnDevice = {
  id: string
  mapId: string
  number: number | null
  photos: readonly unknown[]
  problem: string | null
}
type Triage = { state: string; shown: string; rows: number }

type Options = { url: string; mapId: string; colleague: Person; staff: Person; visitor: Person }

/** For a report to arrive, and for news to reach a page. */
const arrivalMs = 20_000

export class ReportRules {
  readonly #options: Options
  /** Of all devices and maps. The number is null until the server has acknowledged the report. */
  readonly #made = new Map<string, { mapId: string; number: number | null }>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Faults that remain for a while. */
  async findFaults(): Promise<string[]> {
    for (const end = Date.now() + arrivalMs; ; ) {
      const faults = await this.#findFaultsNow()
      if (faults.length === 0 || Date.now() > end) return faults
    }
  }

  async #findFaultsNow(): Promise<string[]> {
    const { mapId, staff, visitor } = this.#options
    const waiting = await Promise.all([staff, visitor].map((person) => this.#readDevice(person)))
    const mapIds = new Set([mapId, ...[...this.#made.values()].map((made) => made.mapId)])
    const ofMaps = await Promise.all([...mapIds].map((one) => this.#findFaultsOfMap(one)))
    return [...waiting, ...ofMaps].flat()
  }

  async #readDevice(person: Person): Promise<string[]> {
    const reports = await person.page.evaluate(readReports).catch(() => [])
    for (const { id, mapId, number } of reports) this.#made.set(id, { mapId, number })
    // Other pages need not send them.
    const isSending = person.isOnline && /^\/map\//.test(new URL(person.page.url()).pathname)
    return reports
      .filter(({ number, photos, problem }) => problem === null && (number === null || photos.length > 0))
      .flatMap(({ id }) => (isSending ? [`report ${id} waits although there is a connection`] : []))
  }

  async #findFaultsOfMap(mapId: string): Promise<string[]> {
    const map = `/api/maps/${mapId}`
    const lists = await Promise.all(
      reportStates.map((state) =>
        this.#asColleague<{ items: Row[]; total: number }>(`${map}/reports?state=${state}`),
      ),
    )
    const rows = lists.flatMap(({ items }) => items)
    const made = [...this.#made].filter(([, one]) => one.mapId === mapId)
    const missing = made.flatMap(([id, { number }]) => {
      const count = rows.filter((row) => row.id === id && row.number === number).length
      return number === null || count === 1 ? [] : [`${reportNumber(number)} is ${count} times on the server`]
    })
    const unexpected = rows.flatMap(({ id, number }) =>
      this.#made.has(id) && rows.filter((row) => row.number === number).length === 1
        ? []
        : [`${reportNumber(number)} is not of these devices, or there twice`],
    )
    const secret = rows.filter(({ state }) => state !== 'accepted')
    return [
      ...missing,
      ...unexpected,
      ...(await this.#findPublic(mapId, secret)),
      ...(await this.#compareTriage(mapId, lists[reportStates.indexOf('new')]?.total ?? 0)),
    ]
  }

  async #findPublic(mapId: string, secret: readonly Row[]): Promise<string[]> {
    if (secret.length === 0) return []
    const map = `/api/maps/${mapId}`
    const list = `${map}/features?kind=incident&limit=200`
    const addresses = [
      list,
      ...[...new Set(secret.map(({ title }) => title))]
        .slice(-3)
        .map((title) => `${list}&text=${encodeURIComponent(title)}`),
      `/ogc/${mapId}/collections/incidents/items?limit=1000`,
      `${map}/open311/v2/requests.json`,
    ]
    const answers = await Promise.all(
      addresses.map(async (address) => {
        const text = await (await fetch(this.#options.url + address, closing)).text()
        return { address, ids: new Set(text.match(/(?<="(?:id|service_request_id)":")[^"]*/g)) }
      }),
    )
    return answers.flatMap(({ address, ids }) =>
      secret
        // Duplicates are public as requests without values of their own.
        .filter(({ id, state }) => ids.has(id) && !(state === 'duplicate' && address.includes('open311')))
        .map(({ number, state }) => `${reportNumber(number)} is ${state}, and public in ${address}`),
    )
  }

  /** The list and its number, if staff see them. */
  async #compareTriage(mapId: string, waiting: number): Promise<string[]> {
    const { staff } = this.#options
    if (!staff.isOnline || !staff.page.url().includes(`/config/map/${mapId}/reports`)) return []
    const triage = await staff.page.evaluate(readTriage).catch(() => null)
    if (triage?.state !== 'new' || (Number.parseInt(triage.shown, 10) === waiting && triage.rows === waiting))
      return []
    return [`triage shows ‘${triage.shown}’ and ${triage.rows} rows, and ${waiting} reports wait`]
  }

  async #asColleague<Answer>(path: string): Promise<Answer> {
    const { url, colleague } = this.#options
    const answer = await colleague.context.request.get(url + path, closing)
    if (answer.ok()) return (await answer.json()) as Answer
    // The same user may have signed out everywhere.
    if (answer.status() !== 401) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    await colleague.signIn('administrator')
    return this.#asColleague(path)
  }
}

/** On its own connection: the server may be closing an idle one. */
const closing = { headers: { connection: 'close' } }

/** Runs in the page. Opening a missing database would create it. */
async function readReports(): Promise<OnDevice[]> {
  const name = 'poa-reports'
  if (!(await indexedDB.databases()).some((one) => one.name === name)) return []
  const settle = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const database = await settle(indexedDB.open(name))
  try {
    return await settle(
      database.transaction('reports').objectStore('reports').getAll() as IDBRequest<OnDevice[]>,
    )
  } finally {
    database.close()
  }
}

/** Runs in the page. Null unless the list is shown. */
function readTriage(): Triage | null {
  const panel = document.querySelector('section[aria-label=Reports]')
  const shown = panel?.querySelector('p[role=status]')?.textContent
  const state = panel?.querySelector('select')?.value
  // After the session has ended, the page is of no use until the next sign-in.
  if (!shown || !state || document.querySelector('[role=dialog][aria-modal=true]')) return null
  return { state, shown, rows: panel?.querySelectorAll('ul[aria-label=Reports] > li').length ?? 0 }
}
