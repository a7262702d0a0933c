import type { FeatureColumns } from '../database/tables.ts'

const parts = ['kind', 'shape', 'type', 'status', 'severity'] as const

/** What many features have in common; features that look alike share one object. */
export type Look = Readonly<Pick<FeatureColumns, (typeof parts)[number]>>

/**
 * What a tile says of a feature besides its id; what it does not have is left out. `shape` tells what it is where a
 * point stands for it; `mark` is 'dot' where there are so many that pins would cover each other.
 */
export const tileTags = ['shape', 'type', 'status', 'severity', 'mark'] as const
export type TaggedLook = Readonly<Partial<Record<(typeof tileTags)[number], string | null>>>

/** A look made of another one, the same object each time. */
export function derivedLook(derive: (look: Look) => TaggedLook): (look: Look) => TaggedLook {
  const derived = new Map<Look, TaggedLook>()
  return (look) => {
    const known = derived.get(look)
    if (known) return known
    const made = derive(look)
    derived.set(look, made)
    return made
  }
}

/** The columns that make a look, for a query that reads them as one text: five texts a row take twice as long. */
export const lookColumns: readonly (keyof FeatureColumns)[] = parts
export const partsParting = '/'

/** There are as many as combinations of words that a column may hold. */
const looks = new Map<string, Look>()

export function lookOf(text: string): Look {
  const known = looks.get(text)
  if (known) return known
  const values = text.split(partsParting).map((value) => (value === '' ? null : value))
  const look = Object.fromEntries(parts.map((part, index) => [part, values[index]])) as Look
  looks.set(text, look)
  return look
}

/** A representative's look, the zoom from which on it represents its cell, and the one from which on its shape is drawn. */
export type Standing = Readonly<{ look: Look; zoom: number; shapeZoom: number }>

/** Every look with every two zooms. */
const standings = new Map<string, Standing>()

/** Of the text of a look, and the two zooms behind it. */
export function standingOf(text: string): Standing {
  const known = standings.get(text)
  if (known) return known
  const values = text.split(partsParting)
  const [zoom, shapeZoom] = values.slice(parts.length).map(Number) as [number, number]
  const look = lookOf(values.slice(0, parts.length).join(partsParting))
  const standing = { look, zoom, shapeZoom }
  standings.set(text, standing)
  return standing
}

/** What stands for its cell. Its zoom is the rank among those that the filter asks for. */
export type TileRepresentative = Pick<FeatureColumns, 'id' | 'lng' | 'lat'> & { standing: Standing }

/** A representative with its place on the tile, in the tile's units. */
export type PlacedRepresentative = { representative: TileRepresentative; x: number; y: number }

/** A representative whose circle may be drawn. */
export type TileIncident = TileRepresentative & Pick<FeatureColumns, 'date'>

export type TileShape = Pick<FeatureColumns, 'id' | 'size_zoom' | 'size' | 'geometry'> & { look: Look }
