// What every page of the measurements is told by its address: what to draw, where, and how large the map is. As large
// as the map of the application, and at the same place.

const query = new URLSearchParams(location.search)
const number = (name: string) => Number(query.get(name))

const address = (name: string) =>
  new URL(query.get(name) ?? '', location.href).href
    // A template's braces are part of no address.
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')

/** The address of the data: a GeoJSON file, or the template of tiles. */
export const dataUrl = address('data')
/** Template of the tiles below them; most pages have none. */
export const baseMapUrl = query.has('base') ? address('base') : undefined

export const center = { lat: number('lat'), lng: number('lng') }
/** Of 256-pixel tiles, as in addresses of the application. */
export const zoom = number('zoom')

export const container = document.getElementById('map') as HTMLElement
for (const side of ['left', 'top', 'width', 'height'] as const) container.style[side] = `${number(side)}px`

/** Everything in view has been drawn. */
export function complete() {
  if (performance.getEntriesByName('map-complete').length === 0) performance.mark('map-complete')
  container.dataset.mapState = 'complete'
}
