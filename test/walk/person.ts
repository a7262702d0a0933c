import type { Browser, BrowserContext, ElementHandle, FileChooser, Page } from '@playwright/test'
import { people } from '../e2e/sign-in.driver.ts'
import { openEyes, type Sight } from './eyes.ts'
import type { ControlName, Share, Step } from './step.ts'

export type Files = { drawing: string; configuration: string; photo: Buffer }

type PersonOptions = {
  browser: Browser
  url: string
  isPhone: boolean
  files: Files
  /** Whether to leave a page that asks to stay. */
  leavesUnsaved(): boolean
}

/** After this time a page counts as stuck; a busy machine is slow. */
const patienceMs = 20_000
/** Time until a control must have a visible effect. */
const answerMs = 8_000

export type Outcome = {
  /** False if the control was missing or unreachable. */
  isDone: boolean
  /** False if the control had no effect. */
  isAnswered: boolean
}

const done: Outcome = { isDone: true, isAnswered: true }
const notDone: Outcome = { isDone: false, isAnswered: true }

export class Person {
  readonly context: BrowserContext
  readonly page: Page
  readonly #url: string
  readonly #isPhone: boolean
  #complaints: string[] = []
  #requests = 0
  #events = 0
  isOnline = true
  /** Unsaved work was discarded in the browser's dialog. */
  hasLetGo = false

  private constructor(context: BrowserContext, page: Page, { url, isPhone }: PersonOptions) {
    this.context = context
    this.page = page
    this.#url = url
    this.#isPhone = isPhone
  }

  static async open(options: PersonOptions): Promise<Person> {
    const { browser, isPhone, files, leavesUnsaved } = options
    const context = await browser.newContext(
      isPhone
        ? { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
        : { viewport: { width: 1000, height: 680 } },
    )
    // A control may become disabled before it is filled. Playwright's tests would wait for it without a limit.
    context.setDefaultTimeout(patienceMs)
    await context.addInitScript(openEyes)
    const page = await context.newPage()
    const person = new Person(context, page, options)
    page.on('console', (message) => {
      const { url } = message.location()
      if (message.type() === 'error') person.#complaints.push(`${message.text()} ${url}`.trim())
    })
    page.on('pageerror', (error) => person.#complaints.push(String(error)))
    page.on('crash', () => person.#complaints.push('the tab crashed'))
    page.on('request', (request) => {
      if (request.resourceType() !== 'eventsource') person.#requests += 1
    })
    page.on('download', (download) => {
      person.#events += 1
      void download.cancel()
    })
    page.on('popup', (opened) => {
      person.#events += 1
      void opened.close().catch(() => {})
    })
    page.on('filechooser', (chooser) => {
      person.#events += 1
      void chooseFile(chooser, page, files).catch(() => {})
    })
    page.on('dialog', (dialog) => {
      person.#events += 1
      const leaves = dialog.type() !== 'beforeunload' || leavesUnsaved()
      if (dialog.type() === 'beforeunload' && leaves) person.hasLetGo = true
      void (leaves ? dialog.accept() : dialog.dismiss()).catch(() => {})
    })
    return person
  }

  async signIn(part: keyof typeof people): Promise<void> {
    await this.page.goto(new URL('/sign-in?returnTo=/config/map', this.#url).href)
    await this.page.getByRole('button', { name: people[part] }).click()
    await this.page.waitForURL(/\/config\/map/)
  }

  takeComplaints(): string[] {
    const complaints = this.#complaints
    this.#complaints = []
    return complaints
  }

  /** Null during a navigation. */
  async look(): Promise<Sight | null> {
    return this.page.evaluate(() => window.walkEyes.look()).catch(() => null)
  }

  /** Waits until nothing is pending, for at most `patienceMs`. */
  async settle(): Promise<Sight | null> {
    const end = Date.now() + patienceMs
    let before = -1
    for (;;) {
      const sight = await this.look()
      const isAtRest = sight !== null && sight.answers + this.#requests === before
      if (isAtRest && sight.hasScreen && sight.pending.length === 0) return sight
      if (Date.now() > end) return sight
      before = sight ? sight.answers + this.#requests : -1
      await this.page.evaluate(nextFrames).catch(() => {})
    }
  }

  async take(step: Step): Promise<Outcome> {
    switch (step.act) {
      case 'press':
        return this.#press(step.control)
      case 'fill':
        return this.#with(step.control, (element) => element.fill(step.value))
      case 'choose':
        return this.#with(step.control, (element) => element.selectOption({ label: step.value }))
      case 'slide':
        return this.#with(step.control, (element) => element.press(step.key))
      case 'map':
        return this.#moveOnMap(step)
      case 'key':
        await this.page.keyboard.press(step.key)
        return done
      case 'visit':
        await this.#goto(() => this.page.goto(new URL(step.path, this.#url).href))
        return done
      case 'reload':
        await this.#goto(() => this.page.reload())
        return done
      case 'back':
      case 'forward':
        await this.#goInHistory(step.act)
        return done
      case 'network':
        this.isOnline = step.isThere
        await this.context.setOffline(!step.isThere)
        return done
      case 'signOutElsewhere':
        return this.#signOutInOtherTab()
      default:
        throw new Error(`${step.act} is not done in a browser`)
    }
  }

  /** Navigation rejects if the user stays on the page. */
  async #goto(navigate: () => Promise<unknown>) {
    await navigate().catch((error: Error) => {
      if (!/ERR_ABORTED|interrupted|Timeout/.test(error.message)) throw error
    })
  }

  /** Leaves the browser's own pages: the one before all others, and the one that offers to send a form again. */
  async #goInHistory(act: 'back' | 'forward') {
    const go = { back: () => this.page.goBack(), forward: () => this.page.goForward() }
    const other = act === 'back' ? go.forward : go.back
    let isForm = false
    await this.#goto(() =>
      go[act]().catch((error: Error) => {
        isForm = error.message.includes('ERR_CACHE_MISS')
        if (!isForm) throw error
      }),
    )
    if (isForm || this.page.url() === 'about:blank') await this.#goto(other)
  }

  async #find(control: ControlName): Promise<ElementHandle<HTMLElement> | null> {
    const handle = await this.page
      .evaluateHandle((name) => window.walkEyes.find(name), control)
      .catch(() => null)
    return (handle?.asElement() as ElementHandle<HTMLElement> | null | undefined) ?? null
  }

  async #with(control: ControlName, use: (element: ElementHandle<HTMLElement>) => Promise<unknown>) {
    const element = await this.#find(control)
    if (!element) return notDone
    const isDone = await use(element).then(
      () => true,
      () => false,
    )
    return isDone ? done : notDone
  }

  async #press(control: ControlName): Promise<Outcome> {
    const element = await this.#find(control)
    if (!element) return notDone
    const isReached = await element
      .hover({ timeout: 2_000 })
      .then(() => this.page.evaluate(nextFrames))
      .then(() => true)
      .catch(() => false)
    if (!isReached) return notDone
    const hasAnswered = await this.#awaitsAnswer()
    const isPressed = await (this.#isPhone
      ? element.tap({ timeout: 2_000 })
      : element.click({ timeout: 2_000 })
    ).then(
      () => true,
      () => false,
    )
    if (!isPressed) return notDone
    // Removed or selected by a concurrent change.
    return { isDone: true, isAnswered: (await hasAnswered()) || (await this.#find(control)) === null }
  }

  /** Returns a function that resolves when anything has changed. */
  async #awaitsAnswer(): Promise<() => Promise<boolean>> {
    const before = {
      sight: await this.look(),
      url: this.page.url(),
      requests: this.#requests,
      events: this.#events,
    }
    return async () => {
      const end = Date.now() + answerMs
      while (Date.now() < end) {
        const sight = await this.look()
        if (sight === null || sight.answers !== before.sight?.answers) return true
        if (this.page.url() !== before.url || this.#requests !== before.requests) return true
        if (this.#events !== before.events) return true
        await this.page.evaluate(nextFrames).catch(() => {})
      }
      return false
    }
  }

  async #moveOnMap(step: Extract<Step, { act: 'map' }>): Promise<Outcome> {
    const box = (await this.look())?.mapBox
    if (!box) return notDone
    const { mouse, touchscreen } = this.page
    const onPage = ([across, down]: Share) => ({
      x: box.x + across * box.width,
      y: box.y + down * box.height,
    })
    const { x, y } = onPage(step.at)
    if (this.#isPhone && step.gesture === 'click') {
      await touchscreen.tap(x, y)
      return done
    }
    await mouse.move(x, y)
    if (step.gesture === 'click') {
      await this.page.evaluate(nextFrames)
      const isOverSomething = await this.page.evaluate(
        (point) => {
          const element = document.elementFromPoint(point.x, point.y)
          return element instanceof HTMLCanvasElement && element.style.cursor === 'pointer'
        },
        { x, y },
      )
      const hasAnswered = await this.#awaitsAnswer()
      await mouse.click(x, y)
      return isOverSomething ? { isDone: true, isAnswered: await hasAnswered() } : done
    }
    if (step.gesture === 'rightClick') await mouse.click(x, y, { button: 'right' })
    else if (step.gesture === 'doubleClick') await mouse.dblclick(x, y)
    else if (step.gesture === 'wheel') await mouse.wheel(0, step.delta)
    else {
      await mouse.down()
      if (step.gesture === 'drag') {
        const to = onPage(step.to)
        await mouse.move(to.x, to.y, { steps: 4 })
      } else await this.page.evaluate(longPress)
      await mouse.up()
    }
    return done
  }

  async #signOutInOtherTab(): Promise<Outcome> {
    const other = await this.context.newPage()
    other.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    await this.#goto(() => other.goto(new URL('/config/map', this.#url).href))
    const logout = other.getByRole('button', { name: 'Logout' })
    const isIn = await logout.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (isIn) {
      await logout.click()
      await other.getByRole('heading', { name: 'Signed out' }).waitFor()
    }
    await other.close()
    return isIn ? done : notDone
  }
}

/** Time for immediate effects and tooltips. */
function nextFrames() {
  return new Promise<void>((resolve) => setTimeout(() => requestAnimationFrame(() => resolve()), 60))
}

/** A little more than the 600 ms of the specification. */
function longPress() {
  return new Promise<void>((resolve) => setTimeout(resolve, 650))
}

async function chooseFile(chooser: FileChooser, page: Page, files: Files) {
  const accepted = (await chooser.element().getAttribute('accept')) ?? ''
  if (accepted.includes('image/'))
    return chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: files.photo })
  const isOfSettings = page.url().includes('/config')
  const buffer = Buffer.from(isOfSettings ? files.configuration : files.drawing)
  return chooser.setFiles({ name: 'file.json', mimeType: 'application/json', buffer })
}
