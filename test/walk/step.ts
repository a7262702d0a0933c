import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'

/** `nth` counts controls with the same role and name from 0. */
export type ControlName = { role: string; name: string; nth: number }

/** Fractions of the width and height of the map. */
export type Share = [across: number, down: number]

type MapGesture =
  | { gesture: 'click' | 'rightClick' | 'hold' | 'doubleClick'; at: Share }
  | { gesture: 'drag'; at: Share; to: Share }
  | { gesture: 'wheel'; at: Share; delta: number }

/** Plain JSON, so that a walk can be recorded and replayed. */
export type Step = { who: 'staff' | 'visitor' } & (
  | { act: 'press'; control: ControlName }
  | { act: 'fill' | 'choose'; control: ControlName; value: string }
  | { act: 'slide'; control: ControlName; key: string }
  | ({ act: 'map' } & MapGesture)
  | { act: 'key'; key: string }
  | { act: 'visit'; path: string }
  | { act: 'back' | 'forward' | 'reload' }
  | { act: 'network'; isThere: boolean }
  | { act: 'signOutElsewhere' }
  | { act: 'apply'; changes: Partial<MapConfiguration> }
  | { act: 'restore'; version: number }
)

export function describeStep({ who, ...step }: Step): string {
  const { act, control, ...rest } = step as { act: string; control?: ControlName }
  const what = control
    ? `${control.role} '${control.name}'${control.nth > 0 ? ` (${control.nth + 1})` : ''}`
    : ''
  const how = Object.values(rest).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return [`${who}:`, act, what, ...how].filter((part) => part !== '').join(' ')
}
