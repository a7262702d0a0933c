export type Taken = { place: { lat: number; lng: number } | null; takenAt: string | null }

/** Exif 2.3 in TIFF 6.0: two directories that the first one refers to. Ignores invalid entries. */
export function readExif(block: Uint8Array | undefined): Taken {
  try {
    return block ? read(Buffer.from(block)) : nothing
  } catch {
    return nothing
  }
}

const nothing: Taken = { place: null, takenAt: null }

const tags = { exif: 0x8769, gps: 0x8825, changedAt: 0x0132, takenAt: 0x9003 }
const gpsTags = { latRef: 1, lat: 2, lngRef: 3, lng: 4 }

function read(block: Buffer): Taken {
  const bytes = block.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block
  const order = bytes.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return nothing
  const isLittle = order === 'II'
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))

  function directory(at: number): Map<number, { count: number; at: number }> {
    const entries = Array.from({ length: short(at) }, (_, index) => at + 2 + index * 12)
    return new Map(entries.map((entry) => [short(entry), { count: long(entry + 4), at: entry + 8 }]))
  }
  const text = (found: { count: number; at: number } | undefined) => {
    if (!found || found.count > 100) return ''
    const start = found.count > 4 ? long(found.at) : found.at
    return bytes.toString('latin1', start, start + found.count).replace(/\0.*$/s, '')
  }
  const degrees = (found: { count: number; at: number } | undefined) => {
    if (found?.count !== 3) return Number.NaN
    const start = long(found.at)
    const part = (index: number) => long(start + index * 8) / long(start + index * 8 + 4)
    return part(0) + part(1) / 60 + part(2) / 3600
  }

  const first = directory(long(4))
  const below = (tag: number) => {
    const found = first.get(tag)
    return found ? directory(long(found.at)) : new Map<number, { count: number; at: number }>()
  }
  const gps = below(tags.gps)
  const lat = degrees(gps.get(gpsTags.lat)) * (text(gps.get(gpsTags.latRef)) === 'S' ? -1 : 1)
  const lng = degrees(gps.get(gpsTags.lng)) * (text(gps.get(gpsTags.lngRef)) === 'W' ? -1 : 1)
  // Cameras without a position write 0, 0.
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0)
  // About a centimeter, finer than any camera measures.
  const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
  const takenAt = text(below(tags.exif).get(tags.takenAt)) || text(first.get(tags.changedAt))
  const place = isPlace ? { lat: rounded(lat), lng: rounded(lng) } : null
  return { place, takenAt: instantOf(takenAt) }
}

function instantOf(text: string): string | null {
  const [, date, time] = /^(\d{4}:\d{2}:\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(text) ?? []
  if (!date) return null
  const written = `${date.replaceAll(':', '-')}T${time}`
  const read = new Date(`${written}Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written) ? written : null
}
