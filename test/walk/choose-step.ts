import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { baseMaps, drawingTools } from '#domain/map-configuration/map-constants.ts'
import type { SeededRandom } from '#test/random/seeded-random.ts'
import type { Control, Sight } from './eyes.ts'
import type { Reach, Setting } from './reach.ts'
import type { Share, Step } from './step.ts'

/** All roles of the demo provider have access to this map. */
export const walkedMap = 'pine-ridge'

const paths = [
  '/',
  `/map/${walkedMap}`,
  '/webgl',
  `/webgl/${walkedMap}`,
  '/map/birch-lake',
  '/map/nowhere',
  '/any/other/path',
  '/config',
  `/config/map/${walkedMap}/map`,
  `/config/map/${walkedMap}/configuration`,
  `/config/map/${walkedMap}/features`,
  `/map/${walkedMap}?select=incident-5`,
]
const keys = [
  '?',
  '/',
  'h',
  'b',
  '1',
  '2',
  '3',
  'Escape',
  'Control+k',
  'Tab',
  'Enter',
  'ArrowDown',
  'ArrowLeft',
  '+',
  '-',
]
const texts = ['fire', 'Parcel 1', 'zzzz', 'water', 'Ünïcödé', '%_\'"<b>', 'tree 2', '']
const sliderKeys = ['ArrowRight', 'ArrowLeft', 'Home', 'End']

/** Weight of new controls, such as those of an open menu. */
const attention = 5

/** In steps. */
const longestOffline = 4

type Situation = {
  who: Step['who']
  sight: Sight
  setting: Setting
  appeared: ReadonlySet<Control>
  isOnline: boolean
  stepsOffline: number
  versions: number
  without: readonly string[]
  /** Kinds of steps taken before all others as soon as possible. */
  due: readonly string[]
}

export function chooseStep(random: SeededRandom, reach: Reach, situation: Situation): Step {
  const { who, sight, isOnline, stepsOffline, versions, without, due } = situation
  if (!isOnline && stepsOffline >= longestOffline) return { who, act: 'network', isThere: true }
  const isOurPage = !situation.setting.screen.startsWith('/sign-in')
  // Leaving the page offline shows the browser's own error page.
  const controls = sight.controls.filter(({ leaves }) => isOnline || !leaves)
  const kinds: [act: string, weight: number, make: () => Step][] = [
    [
      'control',
      controls.length > 0 ? 60 : 0,
      () => ({ who, ...useControl(random, pickControl(random, reach, situation, controls)) }),
    ],
    ['map', sight.mapBox && !sight.isModal ? 14 : 0, () => ({ who, act: 'map', ...chooseGesture(random) })],
    ['key', isOurPage ? 8 : 0, () => ({ who, act: 'key', key: random.pick(keys) })],
    ['visit', isOnline ? 5 : 0, () => ({ who, act: 'visit', path: random.pick(paths) })],
    ['travel', isOnline ? 4 : 0, () => ({ who, act: random.pick(['back', 'forward', 'reload']) })],
    ['network', isOurPage ? (isOnline ? 3 : 15) : 0, () => ({ who, act: 'network', isThere: !isOnline })],
    ['signOutElsewhere', isOnline && who === 'staff' ? 2 : 0, () => ({ who, act: 'signOutElsewhere' })],
    ['apply', 5, () => ({ who, act: 'apply', changes: chooseSettings(random) })],
    ['restore', versions > 0 ? 3 : 0, () => ({ who, act: 'restore', version: random.integer(1, versions) })],
  ]
  const possible = kinds.filter(([act, weight]) => weight > 0 && !without.includes(act))
  const first = possible.find(([act]) => due.includes(act))
  if (first) return first[2]()
  let drawn = random.next() * possible.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [, weight, make] of possible) {
    drawn -= weight
    if (drawn < 0) return make()
  }
  return { who, act: 'reload' }
}

function pickControl(
  random: SeededRandom,
  reach: Reach,
  { setting, appeared }: Situation,
  controls: readonly Control[],
): Control {
  const weights = controls.map(
    (control) => (appeared.has(control) ? attention : 1) / (1 + reach.usesOf(setting, control)) ** 2,
  )
  let drawn = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    drawn -= weight
    if (drawn < 0) return controls[index] as Control
  }
  return controls.at(-1) as Control
}

type Use =
  | { act: 'press'; control: Control }
  | { act: 'fill' | 'choose'; control: Control; value: string }
  | { act: 'slide'; control: Control; key: string }

function useControl(random: SeededRandom, control: Control): Use {
  if (control.use === 'slide') return { act: 'slide', control, key: random.pick(sliderKeys) }
  if (control.use === 'press') return { act: 'press', control }
  if (control.use === 'choose')
    return control.options.length > 0
      ? { act: 'choose', control, value: random.pick(control.options) }
      : { act: 'press', control }
  return { act: 'fill', control, value: chooseText(random, control) }
}

function chooseText(random: SeededRandom, { name, type, role, min, max, value }: Control): string {
  const isNumber =
    type === 'number' || role === 'spinbutton' || /^(Latitude|Longitude|North|South|East|West)$/.test(name)
  if (!isNumber) return random.pick(texts.filter((text) => text !== value))
  if (min !== '' && max !== '') return String(random.integer(Number(min), Number(max)))
  const { lat, lng } = defaultMapConfiguration.center
  const middle =
    { North: lat + 0.05, South: lat - 0.05, Latitude: lat, East: lng + 0.05, West: lng - 0.05 }[name] ?? lng
  return (middle + random.between(-0.02, 0.02)).toFixed(4)
}

const chooseShare = (random: SeededRandom): Share => [
  Number(random.between(0.1, 0.9).toFixed(3)),
  Number(random.between(0.1, 0.9).toFixed(3)),
]

function chooseGesture(random: SeededRandom) {
  const gesture = random.pick([
    'click',
    'click',
    'click',
    'rightClick',
    'hold',
    'doubleClick',
    'drag',
    'wheel',
  ] as const)
  const at = chooseShare(random)
  if (gesture === 'drag') return { gesture, at, to: chooseShare(random) }
  if (gesture === 'wheel') return { gesture, at, delta: random.pick([-120, -60, 60, 120]) }
  return { gesture, at }
}

/** With or without bounds, since removing them is a change too. */
function chooseSettings(random: SeededRandom) {
  const { lat, lng } = defaultMapConfiguration.center
  const center = { lat: lat + random.integer(-10, 10) / 1000, lng: lng + random.integer(-10, 10) / 1000 }
  const reach = random.integer(20, 80) / 1000
  const mapTypes = random.shuffle(baseMaps).slice(0, random.integer(1, baseMaps.length))
  return {
    center,
    startZoom: random.integer(11, 16),
    mapTypes,
    defaultMapType: random.pick(mapTypes),
    mapBounds: random.chance(0.5)
      ? { north: lat + reach, south: lat - reach, east: lng + reach, west: lng - reach }
      : null,
    showPersonalData: random.chance(0.5),
    drawingTools: random.shuffle(drawingTools).slice(0, random.integer(0, drawingTools.length)),
  }
}
