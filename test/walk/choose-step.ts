import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
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
  `/config/map/${walkedMap}/work`,
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
const triageKeys = ['j', 'k', 'a', 'r', 'd', 'h', 'e', 'Control+z', 'Control+Shift+z']
const texts = ['fire', 'Parcel 1', 'zzzz', 'water', 'Ünïcödé', '%_\'"<b>', 'tree 2', '']
const sliderKeys = ['ArrowRight', 'ArrowLeft', 'Home', 'End']

/**
 * Long ways are too rare among all controls. Each has a page to begin on, the names of the controls that lead on from
 * step to step, and of those that end it.
 */
const ways = {
  report: {
    who: 'visitor',
    path: `/map/${walkedMap}?report=here`,
    leadsOn: new RegExp(
      `^(Report a problem.*|Report another problem nearby|Add a photo|No photo|Next|I have read this|None of these|Same problem as ‘.*|Send report|Follow your report|${Object.values(incidentTypeLabels).join('|')})$`,
    ),
    ends: /^Send report$/,
  },
  decide: {
    who: 'staff',
    path: `/config/map/${walkedMap}/reports`,
    leadsOn:
      /^((Accept|Reject|Merge as duplicate|Hide|Edit) \(.\)|Review again|Same problem as ‘.*|Update|Merge|Merge into ‘.*|Undo|Redo|Undo merge of .*)$/,
    ends: /^((Accept|Reject|Hide) \(.\)|Same problem as ‘.*|Merge into ‘.*)$/,
  },
} as const
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

/** Whether it is a step of this kind, or ends this way. */
export function isOfKind(step: Step, kind: string): boolean {
  const way = wayNames.find((name) => name === kind)
  if (!way) return step.act === kind
  return step.act === 'press' && step.who === ways[way].who && ways[way].ends.test(step.control.name)
}

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
  const isTriage = situation.setting.screen.startsWith('/config/reports')
  // Leaving the page offline shows the browser's own error page.
  const controls = sight.controls.filter(({ leaves }) => isOnline || !leaves)
  // Reports are made without a connection, too.
  const losesNetwork = controls.some((control) => ways.report.ends.test(control.name)) ? 40 : 3
  const use = (among: readonly Control[]): Step => ({
    who,
    ...useControl(random, pickControl(random, reach, situation, among)),
  })
  const kinds: [act: string, weight: number, make: () => Step][] = [
    ['control', controls.length > 0 ? 60 : 0, () => use(controls)],
    ['map', sight.mapBox && !sight.isModal ? 14 : 0, () => ({ who, act: 'map', ...chooseGesture(random) })],
    [
      'key',
      isTriage ? 24 : isOurPage ? 8 : 0,
      () => ({ who, act: 'key', key: random.pick(isTriage ? [...keys, ...triageKeys] : keys) }),
    ],
    ['visit', isOnline ? 5 : 0, () => ({ who, act: 'visit', path: random.pick(paths) })],
    ['travel', isOnline ? 4 : 0, () => ({ who, act: random.pick(['back', 'forward', 'reload']) })],
    [
      'network',
      isOurPage ? (isOnline ? losesNetwork : 15) : 0,
      () => ({ who, act: 'network', isThere: !isOnline }),
    ],
    ['signOutElsewhere', isOnline && who === 'staff' ? 2 : 0, () => ({ who, act: 'signOutElsewhere' })],
    ['apply', 5, () => ({ who, act: 'apply', changes: chooseSettings(random) })],
    ['restore', versions > 0 ? 3 : 0, () => ({ who, act: 'restore', version: random.integer(1, versions) })],
    ...wayNames
      .filter((name) => ways[name].who === who)
      .map((name): [string, number, () => Step] => {
        const { leadsOn, path } = ways[name]
        const found = controls.filter((control) => leadsOn.test(control.name))
        if (found.length > 0) return [name, 80, () => use(found)]
        return [name, isOnline ? 6 : 0, () => ({ who, act: 'visit', path })]
      }),
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
  if (type === 'email') return random.pick(['ann@example.org', ''])
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
