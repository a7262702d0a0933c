import { sampleMapId } from './reserved-maps.ts'

const maxLength = 80

/** Latin letters that Unicode does not decompose. */
const spelledOut: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

const nameless = 'client'

const reserved: ReadonlySet<string> = new Set([sampleMapId])

/** Never empty, but may be taken or reserved. */
export function slugOf(name: string): string {
  const slug = name
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => spelledOut[letter] ?? '')
    .replace(/['’ʼ]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  return cut(slug, maxLength) || nameless
}

/** Ids for a client of this name, best first: `oak-hills`, `oak-hills-2` ... */
export function* idsForName(name: string): Generator<string> {
  const slug = slugOf(name)
  if (!reserved.has(slug)) yield slug
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    yield `${cut(slug, maxLength - suffix.length)}${suffix}`
  }
}

function cut(slug: string, length: number): string {
  return slug.replace(/^-+/, '').slice(0, length).replace(/-+$/, '')
}
