import type { Browser } from '@playwright/test'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { seededRandom } from '#test/random/seeded-random.ts'
import type { Part } from '../e2e/sign-in.driver.ts'
import { chooseStep, isOfKind, walkedMap } from './choose-step.ts'
import type { Control } from './eyes.ts'
import { type Outcome, Person } from './person.ts'
import { Reach, type Setting } from './reach.ts'
import { ReportRules } from './report-rules.ts'
import { findEmptyLand, findFaults } from './rules.ts'
import type { Step } from './step.ts'

type WalkOptions = {
  browser: Browser
  /** A server with sample data and no other users. */
  url: string
  /** Determines all choices, but not the timing. */
  seed: string
  isOver(stepsTaken: number): boolean
  /** Steps to replay. */
  steps?: readonly Step[]
  reach?: Reach
  /** Excluded kinds of steps, such as `network`. */
  without?: readonly string[]
  /** The number of steps after which a kind of step must have happened. */
  due?: Readonly<Record<string, number>>
  onStep?(step: Step): void
}

export type Walk = {
  seed: string
  steps: Step[]
  faults: string[]
  picture: Buffer | null
}

const parts: readonly Part[] = ['administrator', 'manager', 'editor', 'nobody']

const landLookEvery = 4

export async function walk({
  browser,
  url,
  seed,
  isOver,
  steps: given,
  reach = new Reach(),
  without = [],
  due = {},
  onStep,
}: WalkOptions): Promise<Walk> {
  const files = { drawing, configuration, photo: await aPhoto() }
  const random = seededRandom(seed)
  const leave = seededRandom(`${seed} leave`)
  const part = random.pick(parts)
  const isPhone = { staff: random.chance(0.25), visitor: random.chance(0.4) }
  const open = (isOnPhone: boolean) =>
    Person.open({ browser, url, isPhone: isOnPhone, files, leavesUnsaved: () => leave.chance(0.5) })
  const staff = await open(isPhone.staff)
  const visitor = await open(isPhone.visitor)
  const colleague = await open(false)
  await Promise.all([
    staff.signIn(part),
    colleague.signIn('administrator'),
    visitor.page.goto(`${url}/map/${walkedMap}`),
  ])
  const people = { staff, visitor }
  const reportRules = new ReportRules({ url, mapId: walkedMap, colleague, ...people })
  const attentions = { staff: new Attention(), visitor: new Attention() }
  const stepsOffline = { staff: 0, visitor: 0 }
  const steps: Step[] = []
  const faults: string[] = []
  let culprit: Person | null = null
  let versions = 0

  const sights = { staff: await staff.settle(), visitor: await visitor.settle() }
  while (faults.length === 0 && !isOver(steps.length)) {
    const who = given ? given[steps.length]?.who : random.pick(['staff', 'visitor'] as const)
    if (!who) break
    const person = people[who]
    // A concurrent change may have arrived.
    const before = (await person.look()) ?? sights[who]
    if (!before) throw new Error(`There is nothing to be seen at ${person.page.url()}`)
    const setting: Setting = {
      screen: screenOf(person.page.url(), isPhone[who]),
      hasUnsaved: before.unsaved !== '',
    }
    reach.saw(setting, before.controls)
    const appeared = attentions[who].whatAppeared(setting.screen, before.controls)
    const step =
      given?.[steps.length] ??
      plain(
        chooseStep(random, reach, {
          who,
          sight: before,
          setting,
          appeared,
          isOnline: person.isOnline,
          stepsOffline: stepsOffline[who],
          versions,
          without,
          due: Object.keys(due).filter(
            (kind) => steps.length >= (due[kind] ?? 0) && !steps.some((taken) => isOfKind(taken, kind)),
          ),
        }),
      )
    steps.push(step)
    onStep?.(step)
    const wasAway = !person.isOnline
    person.hasLetGo = false
    let outcome: Outcome
    if (step.act === 'apply' || step.act === 'restore') {
      versions = await changeSettings(colleague, url, step)
      outcome = { isDone: versions > 0, isAnswered: true }
    } else outcome = await person.take(step)
    if ('control' in step && outcome.isDone)
      reach.used(setting, find(before.controls, step) ?? (step.control as Control))
    stepsOffline[who] = person.isOnline ? 0 : stepsOffline[who] + 1

    const concerned =
      step.act === 'apply' || step.act === 'restore' ? (['staff', 'visitor'] as const) : ([who] as const)
    for (const name of concerned) {
      const earlier = name === who ? before : sights[name]
      let after = await people[name].settle()
      const looksAtLand = steps.length % landLookEvery === 0 || concerned.length > 1 || step.act === 'network'
      let emptyLand = looksAtLand && after ? await findEmptyLand(people[name], url) : null
      // A new configuration may have moved the map between reading its address and its picture: check again.
      if (emptyLand && (await people[name].settle())) emptyLand = await findEmptyLand(people[name], url)
      if (looksAtLand) after = await people[name].settle()
      sights[name] = after
      faults.push(
        ...findFaults({
          step,
          outcome,
          before: earlier,
          after,
          person: people[name],
          wasOffline: wasAway || !people[name].isOnline,
        }),
        ...(emptyLand ? [emptyLand] : []),
      )
      if (faults.length > 0) {
        culprit = people[name]
        break
      }
    }
    if (faults.length > 0) break
    faults.push(...(await reportRules.findFaults()))
    if (faults.length > 0) culprit = person
  }
  const picture = (await culprit?.page.screenshot().catch(() => null)) ?? null
  await Promise.all([staff, visitor, colleague].map(({ context }) => context.close()))
  return { seed, steps, faults, picture }
}

class Attention {
  #screen = ''
  #places = new Set<string>()

  whatAppeared(screen: string, controls: readonly Control[]): ReadonlySet<Control> {
    const isSameScreen = screen === this.#screen
    const appeared = isSameScreen ? controls.filter(({ place }) => !this.#places.has(place)) : []
    this.#screen = screen
    this.#places = new Set(controls.map(({ place }) => place))
    return new Set(appeared)
  }
}

/** Returns the step with only the names of its controls, for the record. */
function plain(step: Step): Step {
  if (!('control' in step)) return step
  const { role, name, nth } = step.control
  return { ...step, control: { role, name, nth } }
}

const find = (controls: readonly Control[], { control }: Extract<Step, { control: unknown }>) =>
  controls.find(
    ({ role, name, nth }) => role === control.role && name === control.name && nth === control.nth,
  )

function screenOf(address: string, isPhone: boolean): string {
  const [first = '', second, third, fourth] = new URL(address).pathname.split('/').slice(1)
  const screens: Record<string, string> = {
    webgl: '/webgl',
    report: '/report',
    'sign-in': '/sign-in',
    'demo-identity': '/sign-in',
  }
  const path = first === 'config' ? (third ? `/config/${fourth}` : '/config') : (screens[first] ?? '/map')
  return `${path}${isPhone && second !== undefined ? ' phone' : ''}`
}

/** Returns the number of versions. */
async function changeSettings(
  colleague: Person,
  url: string,
  step: Extract<Step, { act: 'apply' | 'restore' }>,
): Promise<number> {
  const address = `${url}/api/maps/${walkedMap}/configuration`
  const { request } = colleague.context
  const current = await request.get(address)
  const headers = { 'if-match': String(current.headers().etag), origin: url }
  const answer =
    step.act === 'apply'
      ? await request.put(address, { headers, data: { ...defaultMapConfiguration, ...step.changes } })
      : await request.post(`${address}/restore`, { headers, data: { version: step.version } })
  // Archived maps refuse settings.
  return answer.ok() ? Number((await answer.json()).version) : 0
}

const drawing = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'LineString',
        coordinates: [
          [-111.1, 34.04],
          [-111.08, 34.06],
        ],
      },
    },
  ],
})
const configuration = JSON.stringify({ ...defaultMapConfiguration, startZoom: 13 })
