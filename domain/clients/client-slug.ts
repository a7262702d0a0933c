import { sampleMapId } from './reserved-maps.ts'

const maxLength = 80

/** Latin letters that Unicode does not split into a letter and an accent. */
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

/** For names without any Latin letter or digit. */
const nameless = 'client'

const reserved: ReadonlySet<string> = new Set([sampleMapId])

/** What a client's name looks like in an address; never empty, but perhaps taken or reserved. */
export function slugOf(name: string): string {
  const slug = name
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => spelledOut[letter] ?? '')
    // An apostrophe does not separate words.
    .replace(/['’ʼ]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  return cut(slug, maxLength) || nameless
}

/** The ids that a client of this name may get, the first free one being the best: `oak-hills`, `oak-hills-2` ... */
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
