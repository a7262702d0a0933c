import { type Browser, type BrowserContext, expect, type Page, type ViewportSize } from '@playwright/test'
import { withoutPixels } from './without-pixels.ts'

// The tests of a file share a page, which takes a third of the processor time of opening a new page. Fixtures remove
// what a test leaves; if some of it is still visible, the page is reloaded.

type Options = { origin: string; isPainted: boolean }
type Complaint = { text: string; isOfNetwork: boolean }

const empty = {
  mapId: 'no-map-at-all',
  text: /^\s*No such map\s*There is no map at this address[^<>]*To the main map\s*$/,
}
const emptyTimeoutMs = 5_000
/** The key of Mantine's color scheme in `localStorage`. */
const colorSchemeKey = 'mantine-color-scheme-value'

const sharedPages = new WeakMap<Page, SharedPage>()

/** Undefined for pages that a test opened itself. */
export const sharedPage = (page: Page) => sharedPages.get(page)

/** Loads the address, or navigates within a shared page that the last test cleared. */
export async function goTo(page: Page, url: string): Promise<void> {
  await (sharedPage(page)?.goTo(url) ?? page.goto(url))
}

export class SharedPage {
  readonly page: Page
  readonly #origin: string
  readonly #complaints: Complaint[]
  #isEmpty = false
  #isSpoilt = false
  #loadedWith = ''
  #signedIn: { who: string; cookies: string } | null = null
  #isFirstVisit = true
  #isSignedInMeant = false

  static async open(browser: Browser, { origin, isPainted }: Options): Promise<SharedPage> {
    const context = await browser.newContext()
    if (!isPainted) await withoutPixels(context)
    const complaints = await watchForComplaints(context)
    return new SharedPage(await context.newPage(), origin, complaints)
  }

  private constructor(page: Page, origin: string, complaints: Complaint[]) {
    this.page = page
    this.#origin = origin
    this.#complaints = complaints
    sharedPages.set(page, this)
    // Init scripts and the fake clock cannot be removed.
    const spoil = () => {
      this.#isSpoilt = true
    }
    onCall(page, 'addInitScript', spoil)
    onCall(page.context(), 'addInitScript', spoil)
    onCall(page.clock, 'install', spoil)
    // Routes only affect later requests, and a shared page has sent some already.
    onCall(page, 'route', () => {
      this.#isEmpty = false
    })
  }

  async goTo(url: string): Promise<void> {
    if (this.#isFirstVisit && !this.#isSignedInMeant) await this.page.context().clearCookies()
    this.#isFirstVisit = false
    const cookies = await this.#cookies()
    const isWithin =
      this.#isEmpty && !this.#isSpoilt && cookies === this.#loadedWith && new URL(url).origin === this.#origin
    this.#isEmpty = false
    if (isWithin) return this.#goWithin(url)
    await this.page.goto(url)
    this.#loadedWith = cookies
  }

  async signIn(part: string, server: string, openSession: () => Promise<void>): Promise<void> {
    this.#isSignedInMeant = true
    const who = `${part} at ${server}`
    if (this.#signedIn?.who === who && this.#signedIn.cookies === (await this.#cookies())) {
      const answer = await this.page.request.get(`${server}/api/session`)
      if ((await answer.json()).person) return
    }
    await openSession()
    this.#signedIn = { who, cookies: await this.#cookies() }
  }

  takeComplaints(): Complaint[] {
    return this.#complaints.splice(0)
  }

  async clear({ viewport, hasTouch }: { viewport: ViewportSize | null; hasTouch: boolean }): Promise<void> {
    const { page } = this
    if (this.#isSpoilt) return this.close()
    const context = page.context()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.removeAllListeners('dialog')
    await context.setOffline(false)
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'no-preference' })
    if (viewport) await page.setViewportSize(viewport)
    await page.mouse.move(0, 0)
    if ((await this.#cookies()) !== this.#signedIn?.cookies) {
      await context.clearCookies()
      this.#signedIn = null
    }
    this.#isFirstVisit = true
    this.#isSignedInMeant = false
    this.#isEmpty = page.url().startsWith(this.#origin) && (await this.#isEmptied())
    // After a quick swipe Chromium takes the next tap as the end of the scroll.
    if (hasTouch) await page.touchscreen.tap(1, 1)
    this.takeComplaints()
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  /** Returns false if a message, dialog or notice is still shown. */
  async #isEmptied(): Promise<boolean> {
    await this.page.evaluate(() => {
      const buttons = document.querySelectorAll<HTMLElement>('[role=alert] button[aria-label=Close]')
      for (const button of buttons) button.click()
    })
    await this.#goWithin(new URL(`/map/${empty.mapId}`, this.#origin).href)
    const isEmpty = await expect(this.page.locator('body'))
      .toHaveText(empty.text, { timeout: emptyTimeoutMs })
      .then(
        () => true,
        () => false,
      )
    const hasColorScheme = await this.page.evaluate((key) => {
      const hasColorScheme = localStorage.getItem(key) !== null
      localStorage.clear()
      sessionStorage.clear()
      return hasColorScheme
    }, colorSchemeKey)
    return isEmpty && !hasColorScheme
  }

  async #goWithin(url: string): Promise<void> {
    await this.page.evaluate((address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, url)
  }

  async #cookies(): Promise<string> {
    const cookies = await this.page.context().cookies()
    return cookies
      .map(({ name, value }) => `${name}=${value}`)
      .sort()
      .join(' ')
  }
}

function onCall<Name extends string>(
  owner: Record<Name, (...given: never[]) => unknown>,
  name: Name,
  told: () => void,
) {
  const method = owner[name].bind(owner)
  owner[name] = (...given) => {
    told()
    return method(...given)
  }
}

async function watchForComplaints(context: BrowserContext): Promise<Complaint[]> {
  const complaints: Complaint[] = []
  const complain = (text: string, isOfNetwork = false) => complaints.push({ text, isOfNetwork })
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`Policy violated: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  )
  context.on('weberror', (error) => complain(String(error.error())))
  context.on('console', (message) => {
    if (message.type() !== 'error' || message.location().url.includes(empty.mapId)) return
    complain(message.text(), /^Failed to load resource|net::ERR_/.test(message.text()))
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complain(`asked ${request.url()}`)
  })
  return complaints
}
