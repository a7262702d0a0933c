// Parameters of a measured page, from its address: data, view, and the box of the application's map.

const query = new URLSearchParams(location.search)
const number = (name: string) => Number(query.get(name))

const address = (name: string) =>
  new URL(query.get(name) ?? '', location.href).href
    // Braces of templates are encoded in addresses.
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')

export const dataUrl = address('data')
export const baseMapUrl = query.has('base') ? address('base') : undefined

export const center = { lat: number('lat'), lng: number('lng') }
/** For 256-pixel tiles, as in addresses of the application. */
export const zoom = number('zoom')

export const container = document.getElementById('map') as HTMLElement
for (const side of ['left', 'top', 'width', 'height'] as const) container.style[side] = `${number(side)}px`

export function complete() {
  if (performance.getEntriesByName('map-complete').length === 0) performance.mark('map-complete')
  container.dataset.mapState = 'complete'
}
