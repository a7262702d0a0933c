import type { Map as EngineMap } from 'maplibre-gl'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { pinSizePixels, selectedPinSizePixels } from '#domain/map-configuration/map-constants.ts'
import { glyphColor, pinColor, shapeColor } from './pin-style.ts'
import { glyphPaths, shapeGlyphPaths } from './type-glyphs.ts'

// Shape tells the kind (incident: teardrop, asset: circle), colour and glyph the type, hollow 'resolved'.

const pixelRatio = 2

export type Pin = {
  kind: 'incident' | 'asset'
  type: FeatureType | null
  isResolved: boolean
  isSelected: boolean
}

/** Name of the pin's image on the map; `type-look.ts` builds the same names in expressions. */
export function pinName({ kind, type, isResolved, isSelected }: Pin): string {
  return `${kind}-${type ?? 'untyped'}${isResolved ? '-resolved' : ''}${isSelected ? '-selected' : ''}`
}

/** Every pin there is. */
function allPins(): Pin[] {
  const incidents = [...incidentTypes, null].flatMap((type) =>
    [false, true].map((isResolved) => ({ kind: 'incident' as const, type, isResolved })),
  )
  const assets = [...assetTypes, null].map((type) => ({ kind: 'asset' as const, type, isResolved: false }))
  return [...incidents, ...assets].flatMap((pin) =>
    [false, true].map((isSelected) => ({ ...pin, isSelected })),
  )
}

/** Of the viewer: colour and glyph tell the shape, and whether an area is an incident's. */
export type ShapePin = { kind: FeatureKind; shape: 'point' | 'polygon'; isSelected: boolean }

export function shapePinName({ kind, shape, isSelected }: ShapePin): string {
  const isIncidentArea = shape === 'polygon' && kind === 'incident'
  return `shape-${shape}${isIncidentArea ? '-incident' : ''}${isSelected ? '-selected' : ''}`
}

const shapePins: ShapePin[] = [
  { kind: 'asset', shape: 'point' } as const,
  { kind: 'asset', shape: 'polygon' } as const,
  { kind: 'incident', shape: 'polygon' } as const,
].flatMap((pin) => [false, true].map((isSelected) => ({ ...pin, isSelected })))

type PinImage = { name: string; image: HTMLImageElement }
let drawnPins: Promise<PinImage[]> | undefined

/** All pins, drawn once for all maps. Their ink, outline included, is 30 pixels high, 40 when selected. */
export function drawPins(): Promise<PinImage[]> {
  drawnPins ??= Promise.all([
    ...allPins().map((pin) => drawPin(pinName(pin), typePinSvg(pin))),
    ...shapePins.map((pin) => drawPin(shapePinName(pin), shapePinSvg(pin))),
  ])
  return drawnPins
}

async function drawPin(name: string, svg: string): Promise<PinImage> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  return { name, image }
}

export async function addPinImages(map: EngineMap): Promise<void> {
  for (const { name, image } of await drawPins())
    if (!map.hasImage(name)) map.addImage(name, image, { pixelRatio })
}

function typePinSvg({ kind, type, isResolved, isSelected }: Pin): string {
  const color = pinColor(type)
  return pinSvg({
    isTeardrop: kind === 'incident',
    isSelected,
    fill: isResolved ? '#ffffff' : color,
    stroke: isResolved ? color : '#ffffff',
    glyph: isResolved ? color : glyphColor(color),
    paths: glyphPaths(kind, type),
  })
}

function shapePinSvg({ kind, shape, isSelected }: ShapePin): string {
  const fill = shapeColor(kind, shape)
  const paths = shapeGlyphPaths(shape)
  return pinSvg({ isTeardrop: false, isSelected, fill, stroke: '#ffffff', glyph: glyphColor(fill), paths })
}

type PinParts = {
  isTeardrop: boolean
  isSelected: boolean
  fill: string
  stroke: string
  glyph: string
  paths: string
}

function pinSvg({ isTeardrop, isSelected, fill, stroke, glyph, paths }: PinParts): string {
  const size = (isSelected ? selectedPinSizePixels : pinSizePixels) * pixelRatio
  // In a square of 30: the outline's stroke ends exactly at the edge.
  const outline = isTeardrop
    ? '<path d="M15 28.6C11.4 24.2 4.6 17.6 4.6 11.9a10.4 10.4 0 0 1 20.8 0C25.4 17.6 18.6 24.2 15 28.6Z"'
    : '<circle cx="15" cy="15" r="14"'
  const glyphBox = isTeardrop ? { x: 8.6, y: 5.4, size: 12.8 } : { x: 6.6, y: 6.6, size: 16.8 }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 30 30">
    ${outline} fill="${fill}" stroke="${stroke}" stroke-width="2"/>
    <svg x="${glyphBox.x}" y="${glyphBox.y}" width="${glyphBox.size}" height="${glyphBox.size}" viewBox="0 0 24 24"
      fill="none" stroke="${glyph}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">
      ${paths}
    </svg>
  </svg>`
}
