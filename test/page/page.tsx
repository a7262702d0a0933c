import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { InjectOptions } from 'fastify'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { createMap, type TestFeature } from '#test/databases/test-map.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { insideSettings } from '#test/server/webhooks.ts'
import { checkConnection } from '#web/api/connection.ts'
import { createQueryClient } from '#web/api/query-client.ts'
import { PageRoot } from '#web/app/application.tsx'
import { followUndoOffers } from '#web/app/follow-undo-offers.ts'
import { createPageRouter } from '#web/app/router.tsx'
import { keepFocus } from '#web/ui/keep-focus.ts'
import { ChunkError } from '#web/ui/load-chunk.ts'
import { withdrawOffers } from '#web/ui/undo-offers.ts'
import { discardUnsavedWork, guardUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

// The page in a document without layout, with a server in the same process. There is no WebGL, so the page shows that
// it cannot draw the map; all else works.

// The machine may be busy. Checking visibility is slow and says little without layout.
configure({ asyncUtilTimeout: 20_000, defaultHidden: true, eventWrapper: (dispatch) => dispatch() })

type Answer = (ask: () => Promise<Response>, method: string, body: unknown) => Promise<Response> | Response

async function startServer() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'poa-page-'))
  process.once('exit', () => rmSync(dataDirectory, { recursive: true, force: true }))
  const location = { dataDirectory, databaseUrl: undefined }
  const database = Object.assign(await openDatabase(location), { location })
  await migrate(database)
  return { ...(await startTestApp(database, { settings: insideSettings })), database }
}
guardUnsavedWork()

let starting: ReturnType<typeof startServer> | undefined

/** React renders in a later task. `act` would do so at once, but forgets parts whose program is still loading. */
async function rendered() {
  for (let task = 0; task < 3; task++) await new Promise(setImmediate)
}

function onCaughtError(error: unknown) {
  if (!(error instanceof ChunkError)) console.error(String(error))
}

/** Call once in a file, before its tests. */
export function preparePage(): TestPage {
  const page = new TestPage()
  beforeEach(() => page.begin())
  afterEach(() => page.end())
  return page
}

export class TestPage {
  #root: Root | undefined
  server!: Awaited<ReturnType<typeof startServer>>
  user = userEvent.setup()
  client: QueryClient = createQueryClient()
  readonly requests: string[] = []
  /** The state of the next event stream that the page opens. */
  stream: 'open' | 'refused' | 'silent' = 'open'
  streams = 0
  #cookie: Record<string, string> = {}
  #answers: { pattern: RegExp; answer: Answer }[] = []
  #isOffline = false
  #stopOffers = () => {}
  #stopKeepingFocus = () => {}
  #console: MockInstance<typeof console.error> | undefined
  #expected: RegExp | null = null

  async begin() {
    starting ??= startServer()
    this.server = await starting
    this.user = userEvent.setup()
    this.#stopKeepingFocus = keepFocus()
    this.requests.length = 0
    this.streams = 0
    this.stream = 'open'
    this.#expected = null
    this.#console = vi.spyOn(console, 'error').mockImplementation(() => {})
    globalThis.fetch = (address, init) => {
      const aborted = Promise.withResolvers<never>()
      init?.signal?.addEventListener('abort', () => aborted.reject(init.signal?.reason))
      return Promise.race([this.#fetch(String(address), init), aborted.promise])
    }
    globalThis.EventSource = this.#eventSource()
  }

  async end() {
    vi.useRealTimers()
    // Stores outlive the page: unsaved work of one test would ask in the next one before it leaves a map.
    discardUnsavedWork()
    this.#close()
    this.#stopOffers()
    this.#stopKeepingFocus()
    withdrawOffers(() => true)
    notifications.clean()
    this.client.clear()
    this.#answers = []
    this.#cookie = {}
    // Failed requests of a test may have cut the connection.
    await this.setOffline(false)
    localStorage.clear()
    sessionStorage.clear()
    const complaints = this.#console?.mock.calls.map((parts) => parts.join(' ')) ?? []
    this.#console?.mockRestore()
    expect(complaints.filter((text) => !this.#expected?.test(text))).toEqual([])
  }

  expectComplaint(pattern: RegExp) {
    this.#expected = pattern
  }

  given(features: TestFeature[], client?: { name?: string; location?: string }) {
    return createMap(this.server.database, features, client)
  }

  async signIn(claim: unknown = 'administrator', person?: { id: string; name: string }) {
    this.#cookie = await signIn(this.server.database, claim, person)
  }

  signOut() {
    this.#cookie = {}
  }

  /** Sends a request as the signed-in user, past the page. */
  async send(
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    version?: number,
  ) {
    const ifMatch = version === undefined ? {} : { 'if-match': `"${version}"` }
    const headers = { ...this.#cookie, ...ifMatch }
    const answer = await this.server.send({ method, url, headers, ...(body && { payload: body }) })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.body === '' ? null : answer.json()
  }

  /** A feature as the server has it. */
  saved(mapId: string, id: string) {
    return this.send('GET', `/api/maps/${mapId}/features/${id}`)
  }

  /** Another user changes a feature. */
  async changeElsewhere(mapId: string, id: string, change: object) {
    const { version } = await this.saved(mapId, id)
    await this.send('PATCH', `/api/maps/${mapId}/features/${id}`, change, version)
  }

  /** No other session of the user is left. */
  endSessions() {
    return this.server.database.write((transaction) => transaction.deleteFrom('sessions').execute())
  }

  async open(path: string) {
    window.history.pushState(null, '', path)
    await this.show(<RouterProvider router={createPageRouter()} />)
  }

  /** Shows a part of the page. */
  async show(part: ReactNode) {
    this.#close()
    this.client = createQueryClient()
    this.#stopOffers = followUndoOffers(this.client)
    const box = document.body.appendChild(document.createElement('div'))
    this.#root = createRoot(box, { onCaughtError })
    this.#root.render(<PageRoot client={this.client}>{part}</PageRoot>)
    await rendered()
  }

  #close() {
    this.#root?.unmount()
    this.#root = undefined
    document.body.replaceChildren()
  }

  /** The last matching rule wins. */
  answer(pattern: RegExp, answer: Answer | number) {
    const respond: Answer =
      typeof answer === 'number'
        ? () => Response.json({ detail: `Answer ${answer}.` }, { status: answer })
        : answer
    this.#answers.unshift({ pattern, answer: respond })
  }
  answerAgain() {
    this.#answers = []
  }

  async setOffline(isOffline: boolean) {
    this.#isOffline = isOffline
    Object.defineProperty(navigator, 'onLine', { value: !isOffline, configurable: true })
    window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'))
    await checkConnection()
    await rendered()
  }

  /** The browser asks before it closes the page. */
  asksBeforeClosing() {
    return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  }

  async reload() {
    await this.open(`${window.location.pathname}${window.location.search}`)
  }

  /** Advances the clocks of page and server. */
  async pass(ms: number) {
    await vi.advanceTimersByTimeAsync(ms)
    await rendered()
  }

  /** The page hears of changes. It may not have opened its stream yet. */
  async hear() {
    await waitFor(() => expect(this.streams).toBeGreaterThan(0))
    await this.server.changes.poll()
    await rendered()
  }

  rows(): HTMLElement[] {
    return screen.queryAllByRole('listbox').flatMap((list) => within(list).queryAllByRole('option'))
  }

  row(name: string): Promise<HTMLElement> {
    return waitFor(() => {
      const row = this.rows().find(({ textContent }) => textContent?.includes(name))
      if (!row) throw new Error(`The list has no row ${name}.`)
      return row
    })
  }

  details(): HTMLElement {
    return screen.getByRole('region', { name: 'Details' })
  }

  async hasDetailsOf(name: string) {
    await waitFor(() => within(this.details()).getByRole('heading', { name }))
  }

  /** The details show this value. */
  async hasFact(label: string, value: string | RegExp) {
    await waitFor(() => {
      const term = [...this.details().querySelectorAll('dl > div > dt')].find(({ textContent }) =>
        textContent?.startsWith(label),
      )
      const text = term?.parentElement?.querySelector('dd')?.textContent
      expect(text).toEqual(typeof value === 'string' ? value : expect.stringMatching(value))
    })
  }

  async alert(text: string | RegExp) {
    const alert = await waitFor(() => {
      const found = screen.getAllByRole('alert').find((one) => one.textContent?.match(text))
      if (!found) throw new Error(`No alert says ${text}.`)
      return found
    })
    const button = (name: string) => within(alert).getByRole('button', { name })
    return { alert, button, click: (name: string) => this.user.click(button(name)) }
  }

  async undo(text: string | RegExp) {
    await (await this.alert(text)).click('Undo')
  }

  async press(role: 'button' | 'link' | 'tab' | 'menuitem' | 'checkbox', name: string | RegExp) {
    const part = await waitFor(() => {
      const found = screen.getAllByRole(role, { name })
      // A hidden one only reserves the room until the part loads.
      const shown = found.filter((one) => !one.closest('[aria-hidden=true]'))
      expect(shown).toHaveLength(1)
      return shown[0] as HTMLElement
    })
    await this.user.click(part)
  }

  /** Presses a button of a dialog. */
  async answerDialog(name: string | RegExp, button: string | RegExp) {
    const dialog = await screen.findByRole('dialog', { name })
    await this.user.click(within(dialog).getByRole('button', { name: button }))
  }

  async choose(label: string, option: string) {
    const field = await screen.findByLabelText<HTMLSelectElement>(label)
    const named = [...field.options].find(({ text }) => text.replace(/ \([\d,]+\)$/, '') === option)
    await this.user.selectOptions(field, named?.value ?? option)
  }

  /** On the selected rows of the table. */
  async bulk(action: string) {
    await this.press('button', 'Actions')
    await this.press('menuitem', action)
  }

  async filterTable(label: string, option: string) {
    await this.user.click(screen.getByRole('button', { name: /^Filters/ }))
    await this.choose(label, option)
    await this.user.keyboard('{Escape}')
  }

  async hasCounts(counts: Record<string, number>) {
    await waitFor(() => {
      for (const [name, count] of Object.entries(counts))
        expect(screen.getByRole('tab', { name: new RegExp(`^${name}`) }).textContent).toBe(`${name} ${count}`)
    })
  }

  search(): Record<string, string> {
    return Object.fromEntries(new URLSearchParams(window.location.search))
  }

  async type(label: string | RegExp, text: string) {
    await this.fill(await screen.findByLabelText(label), text)
  }

  /** Replaces the text of a field in one step: typing renders the form for every letter. */
  async fill(field: HTMLElement, text: string) {
    await this.user.clear(field)
    if (text !== '') await this.user.paste(text)
  }

  async #fetch(address: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> {
    const url = new URL(address, window.location.href)
    const path = `${url.pathname}${url.search}`
    if (this.#isOffline) throw new TypeError('Failed to fetch')
    this.requests.push(`${method} ${path}`)
    const ask = async () => {
      const answer = await this.server.send({
        url: path,
        method: method as NonNullable<InjectOptions['method']>,
        headers: { ...Object.fromEntries(new Headers(headers)), ...this.#cookie },
        ...(typeof body === 'string' ? { payload: body } : {}),
        ...(body instanceof Blob ? { payload: Buffer.from(await body.arrayBuffer()) } : {}),
      })
      const isEmpty = answer.statusCode === 204 || answer.statusCode === 304
      return new Response(isEmpty ? null : new Uint8Array(answer.rawPayload), {
        status: answer.statusCode,
        headers: Object.entries(answer.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        ),
      })
    }
    const rule = this.#answers.find(({ pattern }) => pattern.test(path))
    if (rule) return rule.answer(ask, method, body)
    return path.includes('maplibre-gl-worker') ? new Response('') : ask()
  }

  #eventSource() {
    const { changes } = this.server
    const state = () => (this.#isOffline ? 'refused' : this.stream)
    const opened = () => {
      this.streams += 1
    }
    return class extends EventTarget {
      #stop = () => {}
      constructor() {
        super()
        opened()
        if (state() === 'open')
          this.#stop = changes.listen((change) => this.#tell('change', { data: JSON.stringify(change) }))
        if (state() !== 'silent') setTimeout(() => this.#tell(state() === 'open' ? 'open' : 'error'))
      }
      #tell(type: string, init = {}) {
        this.dispatchEvent(new MessageEvent(type, init))
      }
      close() {
        this.#stop()
      }
    } as unknown as typeof EventSource
  }
}
