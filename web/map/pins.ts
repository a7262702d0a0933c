import type { Map as EngineMap } from 'maplibre-gl'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type FeatureType, featureTypes } from '#domain/features/filters.ts'
import { kindTraits, pinnedKinds } from '#domain/features/kind-traits.ts'
import { pinSizePixels, selectedPinSizePixels } from '#domain/map-configuration/map-constants.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { glyphColor, pinColors, pinForms, selectionEdge, shapeColor } from './pin-style.ts'
import { glyphPaths, shapeGlyphPaths } from './type-glyphs.ts'

// Shape shows the kind (incident: teardrop, asset: circle), color and glyph the type, hollow 'resolved'.

const pixelRatio = 2

export type Pin = {
  kind: FeatureKind
  type: FeatureType | null
  isResolved: boolean
  isSelected: boolean
  isDark: boolean
}

/** Separates the name of a pin's image from the number of features at its place. */
export const countMark = '-of-'

/** Pixels from the lower edge of a teardrop to its place, the middle of its foot. */
export const teardropFootPixels = 4

export const resolvedMark = (isDark: boolean) => (isDark ? '-resolved-dark' : '-resolved')

/** `type-style.ts` builds the same names in expressions. */
export function pinName({ kind, type, isResolved, isSelected, isDark }: Pin): string {
  return `${kind}-${type ?? 'untyped'}${isResolved ? resolvedMark(isDark) : ''}${isSelected ? '-selected' : ''}`
}

function typesOf(kind: FeatureKind): FeatureType[] {
  return featureTypes.filter((type) => type in kindTraits[kind].types)
}

function allPins(): Pin[] {
  return pinnedKinds.flatMap((kind) => {
    const resolutions = kindTraits[kind].statuses.includes('resolved') ? [false, true] : [false]
    return [...typesOf(kind), null].flatMap((type) =>
      resolutions.flatMap((isResolved) =>
        [false, true].flatMap((isSelected) =>
          [false, true].map((isDark) => ({ kind, type, isResolved, isSelected, isDark })),
        ),
      ),
    )
  })
}

export type ShapePin = Pick<Pin, 'kind' | 'type' | 'isSelected'> & { shape: 'point' | 'polygon' }

/** `shape-style.ts` builds the same names in expressions. */
export function shapePinName({ kind, shape, type, isSelected }: ShapePin): string {
  const isIncidentArea = shape === 'polygon' && kindTraits[kind].hasSeverity
  const end = isSelected ? '-selected' : ''
  if (shape === 'point') return `${pointPinStart(kind)}${type ?? 'untyped'}${end}`
  return `shape-polygon${isIncidentArea ? '-incident' : ''}${end}`
}

export const pointPinStart = (kind: FeatureKind) => `shape-point-${kind}-`

const shapePins: ShapePin[] = featureKinds.flatMap((kind) =>
  [
    ...[...typesOf(kind), null].map((type) => ({ kind, shape: 'point', type }) as const),
    { kind, shape: 'polygon', type: null } as const,
  ].flatMap((pin) => [false, true].map((isSelected) => ({ ...pin, isSelected }))),
)

/** 30 pixels high including the outline; 40 for a selected pin without its halo. */
const svgs = new Map<string, () => string>([
  ...allPins().map((pin) => [pinName(pin), () => typePinSvg(pin)] as const),
  ...shapePins.map((pin) => [shapePinName(pin), () => shapePinSvg(pin)] as const),
])

export function drawPinsWhenNeeded(map: EngineMap): void {
  map.setMissingStyleImageResolver(async (id) => {
    const [name = '', count] = id.split(countMark)
    const svg = svgs.get(name)?.()
    if (svg === undefined) return
    const pin = await drawn(svg)
    const image = count === undefined ? pin : withCount(pin, Number(count))
    if (!map.hasImage(id)) map.addImage(id, image, { pixelRatio })
  })
}

async function drawn(svg: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  return image
}

function withCount(pin: HTMLImageElement, count: number): ImageData {
  const { width, height } = pin
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  const text = formatNumber(count)
  const font = `700 ${9 * pixelRatio}px system-ui, sans-serif`
  context.font = font
  const badgeHeight = 15 * pixelRatio
  const badgeWidth = Math.max(badgeHeight, Math.ceil(context.measureText(text).width) + 8 * pixelRatio)
  const beside = Math.max(0, badgeWidth - badgeHeight)
  canvas.width = width + 2 * beside
  canvas.height = height
  context.drawImage(pin, beside, 0, width, height)
  const badgeLeft = beside + width - badgeHeight
  const pill = (color: string, border: number) => {
    context.beginPath()
    const [across, down] = [badgeWidth - 2 * border, badgeHeight - 2 * border]
    context.roundRect(badgeLeft + border, border, across, down, down / 2)
    context.fillStyle = color
    context.fill()
  }
  pill('#ffffff', 0)
  pill('#1b1f21', pixelRatio)
  context.fillStyle = '#ffffff'
  context.font = font
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, badgeLeft + badgeWidth / 2, badgeHeight / 2 + 0.5 * pixelRatio)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

function typePinSvg({ kind, type, isResolved, isSelected, isDark }: Pin): string {
  return pinSvg({
    isTeardrop: kindTraits[kind].pin === 'teardrop',
    isSelected,
    ...pinColors(type, isResolved, isDark),
    paths: glyphPaths(kind, type),
  })
}

function shapePinSvg({ kind, shape, type, isSelected }: ShapePin): string {
  const fill = shapeColor(kind, shape)
  const paths = shapeGlyphPaths(shape, kind, type)
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

const headOf = (isTeardrop: boolean) => ({ x: 15, y: isTeardrop ? 11.9 : 15 })
const boxSize = 30
const haloRadius = 18

/** Pixels from the center of a selected pin's image down to its place. */
export function selectedPinDrop(kind: FeatureKind): number {
  const isTeardrop = kindTraits[kind].pin === 'teardrop'
  const foot = isTeardrop ? boxSize - teardropFootPixels : boxSize / 2
  return ((foot - headOf(isTeardrop).y) / boxSize) * selectedPinSizePixels
}

function pinSvg({ isTeardrop, isSelected, fill, stroke, glyph, paths }: PinParts): string {
  const { outline, glyphBox } = pinForms[isTeardrop ? 'teardrop' : 'disc']
  const head = headOf(isTeardrop)
  const halo = isSelected
    ? `<circle cx="${head.x}" cy="${head.y}" r="${haloRadius}" fill="none" stroke="${selectionEdge}" stroke-width="3.5"/>
    <circle cx="${head.x}" cy="${head.y}" r="${haloRadius}" fill="${stroke === '#ffffff' ? fill : stroke}" fill-opacity=".35" stroke="#ffffff" stroke-width="1.5"/>`
    : ''
  // The halo of a teardrop ends above its foot, so the image is twice as high as the distance from head to foot.
  const reach = isSelected ? haloRadius + 2 : boxSize / 2
  const [viewLeft, top] = isSelected ? [head.x - reach, head.y - reach] : [0, 0]
  const pixels = (isSelected ? selectedPinSizePixels : pinSizePixels) / boxSize
  const size = 2 * reach * pixels * pixelRatio
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="${viewLeft} ${top} ${2 * reach} ${2 * reach}">
    ${halo}<path d="${outline}" fill="${fill}" stroke="${stroke}" stroke-width="2"/>
    <svg x="${glyphBox.x}" y="${glyphBox.y}" width="${glyphBox.size}" height="${glyphBox.size}" viewBox="0 0 24 24"
      fill="none" stroke="${glyph}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">
      ${paths}
    </svg>
  </svg>`
}
