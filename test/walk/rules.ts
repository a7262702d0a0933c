import { maxZoom, minZoom } from '#domain/map-configuration/map-constants.ts'
import { boxAround, Ink } from '../e2e/ink.ts'
import { pixelsBetween, readHash } from '../e2e/map-canvas.driver.ts'
import type { Sight } from './eyes.ts'
import type { Outcome, Person } from './person.ts'
import type { Step } from './step.ts'

// Rules that must hold after every step. Everything not allowed here is a fault.

/** Console messages about failed requests while offline. */
const networkLines = [
  /^Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|FAILED|CONNECTION_\w+)/,
  /net::ERR_INTERNET_DISCONNECTED/,
]

/** Expected responses, which the browser logs anyway. */
const expectedAnswers = [
  // Signed out, not allowed, or a conflict.
  /^Failed to load resource: the server responded with a status of (401|403|412)\b/,
  // A removed map or item; parts of the program must never be missing.
  /responded with a status of 404 .*\/api\//,
  // Staff have decided about the report that its reporter changes.
  /responded with a status of 409 .*\/reports\/\w+\/own/,
  // Navigating back to a used sign-in.
  /responded with a status of 400 .*\/(sign-in|demo-identity)/,
]

/** Controls that may have no visible effect, by role and name. */
const silentControls = [
  /^button (Zoom to all land|Show all of it on the map)$/,
  /^button Location of ‘/,
  /^button Use (current view|my location)/,
  // The last map type cannot be deselected, without a message (section 5 of the specification).
  /^checkbox (Street|Satellite|Terrain|Hybrid)$/,
]

/** Steps that may clear unsaved settings. */
const settlesUnsaved = /^(Apply|Revert|Import|Leave|Discard|Use |Take |Keep |Restore$)/

export type Moment = {
  step: Step
  outcome: Outcome
  before: Sight | null
  after: Sight | null
  person: Person
  /** Offline before or after the step. */
  wasOffline: boolean
}

export function findFaults(moment: Moment): string[] {
  const { step, outcome, after, person } = moment
  const faults = person
    .takeComplaints()
    .filter((line) => !isAllowed(line, moment.wasOffline))
    .map((line) => `complaint: ${line}`)
  if (!after) return [...faults, 'the page answers nothing at all']
  if (/Something went wrong/i.test(after.text)) faults.push(`the page is dead: ${after.text}`)
  else if (!after.hasScreen) faults.push(`there is no screen: ${after.text}`)
  if (after.pending.length > 0) faults.push(`still waiting: ${after.pending.join(', ')}`)
  if (!outcome.isAnswered && !isSilent(step, person)) faults.push('nothing answered')
  if (isUnsavedLost(moment)) faults.push(`unsaved changes are gone: ${moment.before?.unsaved}`)
  if (!person.isOnline && isOurPage(person) && !/connection|offline|reached/i.test(after.notices))
    faults.push('nothing says that there is no connection')
  if (step.act === 'signOutElsewhere' && outcome.isDone && showsStaffData(after))
    faults.push('what only staff may see is still shown')
  return faults
}

function isAllowed(line: string, wasOffline: boolean): boolean {
  const allowed = wasOffline ? [...networkLines, ...expectedAnswers] : expectedAnswers
  return allowed.some((pattern) => pattern.test(line))
}

function isSilent(step: Step, person: Person): boolean {
  if (step.act !== 'press') return false
  const { role, name } = step.control
  // At a zoom limit; only maps with a camera in the address can be checked.
  const zoom = readHash(person.page.url())?.zoom
  if (/^Zoom (in|out)$/.test(name))
    return zoom === undefined || zoom === (name === 'Zoom in' ? maxZoom : minZoom)
  // The form is open.
  if (name === 'Report a problem') return new URL(person.page.url()).searchParams.has('report')
  return silentControls.some((pattern) => pattern.test(`${role} ${name}`))
}

function isUnsavedLost({ step, before, after, person }: Moment): boolean {
  if (!before?.unsaved || after?.unsaved || after?.keepsUnsaved || person.hasLetGo) return false
  // Typing may restore the applied value; dialogs are answered.
  if (step.act === 'fill' || step.act === 'choose' || step.act === 'slide' || before.isModal) return false
  if (step.act === 'press' && (step.control.role !== 'button' || settlesUnsaved.test(step.control.name)))
    return step.control.role === 'link'
  // Enter submits a form.
  if (step.act === 'key' && step.key === 'Enter') return false
  // Other pages do not show unsaved settings of a map.
  if (step.act === 'visit' && !step.path.startsWith('/config/map/')) return false
  // A concurrent change applied the same settings.
  if (step.act === 'apply' || step.act === 'restore') return false
  return true
}

const isOurPage = (person: Person) => !/^\/(sign-in|demo-identity)/.test(new URL(person.page.url()).pathname)

const showsStaffData = ({ controls }: Sight) =>
  controls.some(({ role, name }) => role === 'button' && /^(Logout|Apply Settings|Add client)$/.test(name))

const pictureMs = 5_000
const paintMs = 15_000

type Listed = { items: { id: string; name: string; location: { lat: number; lng: number } }[] }

/** Expects a drawn pin if pins are in view. Null if this holds or cannot be checked. */
export async function findEmptyLand(person: Person, url: string): Promise<string | null> {
  const { page } = person
  const address = new URL(page.url())
  const camera = readHash(page.url())
  const mapId = /^\/(?:map|webgl)\/([\w-]+)$/.exec(address.pathname)?.[1]
  const isNarrowed = ['off', 'incidents', 'assets', 'time', 'severity', 'status', 'due', 'text'].some(
    (name) => address.searchParams.has(name),
  )
  const box = (await person.look())?.mapBox
  if (!camera || !mapId || isNarrowed || !box || !person.isOnline) return null
  const query = new URLSearchParams({ kind: 'incident,asset', shape: 'point', limit: '200' })
  // On its own connection: the server may be closing an idle one.
  const answer = await fetch(`${url}/api/maps/${mapId}/features?${query}`, {
    headers: { connection: 'close' },
  })
  if (!answer.ok) return null
  const { items } = (await answer.json()) as Listed
  const points = items.map(({ name, location }) => {
    const { x, y } = pixelsBetween(camera, location, camera.zoom)
    return { name, x: box.width / 2 + x, y: box.height / 2 + y }
  })
  // Where no panel or button covers the map.
  const open = await page.evaluate(
    ({ points, left, top }) =>
      points.filter(({ x, y }) =>
        [0, -12].every(
          (above) => document.elementFromPoint(left + x, top + y + above) instanceof HTMLCanvasElement,
        ),
      ),
    { points, left: box.x, top: box.y },
  )
  if (open.length === 0) return null
  // Tiles that failed without a network are requested again a moment after it is back.
  for (const end = Date.now() + paintMs; Date.now() < end; ) {
    // A missing map is checked by the next step.
    const picture = await page
      .locator('section[data-map-state]')
      .screenshot({ scale: 'css', animations: 'allow', timeout: pictureMs })
      .catch(() => null)
    if (!picture) return null
    const ink = new Ink(picture)
    const isPainted = ({ x, y }: { x: number; y: number }) => ink.colors(boxAround({ x, y: y - 8 }, 12)) > 8
    if (open.some(isPainted)) return null
  }
  return `an empty map: nothing is drawn for ${open.length} features in view, ${open[0]?.name} among them`
}
