import type { Map as EngineMap } from 'maplibre-gl'
import { formatDistance, readersUnits, type Units } from '#web/ui/measures.ts'
import { localDay } from '#web/ui/relative-time.ts'

/** Per side; a large screen with a fine resolution would need hundreds of megabytes. */
const maxPixels = 4_096

const equatorMeters = 40_075_016.686
const worldPixels = 512
const metersPerUnit = { metric: [1, 1_000], imperial: [0.3048, 1_609.344] } as const

/** Browsers do not print WebGL. Puts a picture of the map beside it while the page is printed. */
export function printMap(map: EngineMap, section: HTMLElement): () => void {
  let figure: HTMLElement | undefined
  function begin() {
    // Browsers may tell of one printing twice, and the layout for paper hides the map.
    if (figure) return
    figure = pictureOf(map, section)
    if (figure) section.append(figure)
  }
  function end() {
    figure?.remove()
    figure = undefined
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    end()
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

function pictureOf(map: EngineMap, section: HTMLElement): HTMLElement | undefined {
  // The picture is lost once the browser has shown it.
  map.redraw()
  const drawn = map.getCanvas()
  const scale = Math.min(1, maxPixels / Math.max(drawn.width, drawn.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(drawn.width * scale)
  canvas.height = Math.floor(drawn.height * scale)
  const context = canvas.getContext('2d')
  if (!context || canvas.width === 0 || canvas.height === 0) return undefined
  context.fillStyle = getComputedStyle(section).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(drawn, 0, 0, canvas.width, canvas.height)
  drawScale(context, map, canvas.width / map.getCanvas().clientWidth)

  const figure = document.createElement('figure')
  figure.dataset.print = ''
  const caption = document.createElement('figcaption')
  const credit = section.querySelector<HTMLElement>('.maplibregl-ctrl-attrib')?.textContent?.trim()
  caption.textContent = [document.title, localDay(new Date().toISOString()), credit]
    .filter(Boolean)
    .join(' · ')
  figure.append(canvas, caption)
  return figure
}

/** Shares of the width of the map. */
const [scaleShare, textShare] = [0.2, 0.022]

function drawScale(context: CanvasRenderingContext2D, map: EngineMap, pixelsPerPixel: number) {
  const metersPerPixel =
    (equatorMeters * Math.cos((map.getCenter().lat * Math.PI) / 180)) / (worldPixels * 2 ** map.getZoom())
  const shown = map.getCanvas().clientWidth
  const textSize = Math.round(shown * textShare)
  const units = readersUnits()
  const meters = roundLength(metersPerPixel * shown * scaleShare, units)
  const width = meters / metersPerPixel
  const bottom = context.canvas.height / pixelsPerPixel - textSize
  const [left, tick] = [textSize, textSize / 2]
  context.scale(pixelsPerPixel, pixelsPerPixel)
  context.fillStyle = 'rgb(255 255 255 / 85%)'
  context.fillRect(left - tick, bottom - 2 * textSize, width + 2 * tick, 2.5 * textSize)
  context.strokeStyle = '#222'
  context.fillStyle = '#222'
  context.lineWidth = textSize / 6
  context.beginPath()
  context.moveTo(left, bottom - tick)
  context.lineTo(left, bottom)
  context.lineTo(left + width, bottom)
  context.lineTo(left + width, bottom - tick)
  context.stroke()
  context.font = `${textSize}px sans-serif`
  context.fillText(formatDistance(meters, units), left + tick, bottom - tick)
}

/** The longest of 1, 2 and 5 times a power of ten, of the larger unit if it fits twice. In meters. */
export function roundLength(maxMeters: number, units: Units): number {
  const [small, large] = metersPerUnit[units]
  // One mile would be 5,280 ft.
  const unit = maxMeters >= 2 * large ? large : small
  const power = 10 ** Math.floor(Math.log10(maxMeters / unit))
  const step = [5, 2].find((factor) => factor * power * unit <= maxMeters) ?? 1
  return step * power * unit
}
