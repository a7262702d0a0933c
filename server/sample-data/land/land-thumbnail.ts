import type { Point } from './plane.ts'
import type { Land } from './survey.ts'

const widthPixels = 160
const heightPixels = 100
const shades = ['#cfe3b4', '#dce8c0', '#c3d9a5', '#e3eac8', '#bcd3a0']

/** A small plat of the land as an SVG data address, for the client's card. */
export function landThumbnail({ outline, lots, corridors, creek }: Land): string {
  const xs = outline.map(([x]) => x)
  const ys = outline.map(([, y]) => y)
  const [west, north] = [Math.min(...xs), Math.max(...ys)]
  const [width, height] = [Math.max(...xs) - west, north - Math.min(...ys)]
  const scale = Math.min((widthPixels - 12) / width, (heightPixels - 12) / height)
  const [left, top] = [(widthPixels - width * scale) / 2, (heightPixels - height * scale) / 2]
  const draw = (points: readonly Point[]) =>
    `M${points.map(([x, y]) => `${tenth(left + (x - west) * scale)} ${tenth(top + (north - y) * scale)}`).join('L')}`
  const path = (attributes: string, d: string) => `<path ${attributes} d="${d}"/>`
  const filled = shades.map((shade, index) =>
    path(
      `fill="${shade}"`,
      lots
        .flatMap((lot, number) => (number % shades.length === index ? [`${draw(lot.ring)}Z`] : []))
        .join(''),
    ),
  )
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPixels} ${heightPixels}">`,
    `<rect width="${widthPixels}" height="${heightPixels}" fill="#f3f0e6"/>`,
    `<g stroke="#8a8f7c" stroke-width=".4">${filled.join('')}</g>`,
    path('fill="#fff"', corridors.map((ring) => `${draw(ring)}Z`).join('')),
    path('fill="none" stroke="#5aa0d0"', draw(creek)),
    '</svg>',
  ].join('')
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function tenth(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
