import { readFileSync } from 'node:fs'
import proj4 from 'proj4'
import type { Extent } from '../database/database.ts'

// State planes on NAD83, in meters and in feet, as the EPSG register has them: state-planes.txt, which a test compares
// with the register.

export type StatePlane = {
  /** In the EPSG register. */
  code: number
  fromLngLat(lng: number, lat: number): [x: number, y: number]
  /** Not finite where there is no such place. */
  toLngLat(x: number, y: number): [lng: number, lat: number]
}

type Zone = { code: number; area: Extent; definition: string }

/** A line: the code, west, south, east and north of where it is used, and its definition for PROJ. */
const zones: readonly Zone[] = readFileSync(new URL('state-planes.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [, numbers = '', definition = ''] = /^([-\d. ]+) (\+.+)$/.exec(line) ?? []
    const [code = 0, west = 0, south = 0, east = 0, north = 0] = numbers.split(' ').map(Number)
    return { code, area: { west, south, east, north }, definition }
  })

/** Those that are made for a place: several where areas of use, which are boxes, lie over each other. */
export function statePlanesAt(lng: number, lat: number): StatePlane[] {
  const isWithin = ({ west, south, east, north }: Extent) =>
    lat >= south && lat <= north && isBetween(lng, west, east)
  return zones.filter(({ area }) => isWithin(area)).map(open)
}

/** The Aleutian Islands lie on both sides of the date line. */
const isBetween = (lng: number, west: number, east: number) =>
  west <= east ? lng >= west && lng <= east : lng >= west || lng <= east

/** In the unit of a plane. */
const sameWithin = 1

const opened = new Map<number, StatePlane>()

function open({ code, definition }: Zone): StatePlane {
  let plane = opened.get(code)
  if (!plane) {
    const { forward, inverse } = proj4(definition)
    plane = {
      code,
      fromLngLat: (lng, lat) => forward([lng, lat]) as [number, number],
      toLngLat(x, y) {
        // It has no one way to say that there is no such place: it throws, or names any other.
        try {
          const [lng, lat] = inverse([x, y]) as [number, number]
          const [backX, backY] = forward([lng, lat]) as [number, number]
          if (Math.hypot(backX - x, backY - y) < sameWithin) return [lng, lat]
        } catch {}
        return [Number.NaN, Number.NaN]
      },
    }
    opened.set(code, plane)
  }
  return plane
}
