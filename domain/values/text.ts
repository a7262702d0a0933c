/** Without NUL, which no engine can store, and lone surrogates, which PostgreSQL refuses inside JSON. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/** UTF-16 units. */
export const linkLength = 2_000

export const isReservedWord = (name: string) => name in {}

/** For search: lower case, without accents, words of letters and digits joined by single spaces. */
export function foldText(text: string): string {
  // Fast path: most texts are ASCII.
  if (!/[^\0-\x7f]/.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Ignores case in the same way on both engines, but not accents. */
export const foldCase = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Engines refuse words of more than about 2,000 bytes. */
const searchedWordLength = 200

export function searchWords(text: string): string[] {
  const words = foldText(text).split(' ').filter(Boolean)
  return words.map((word) =>
    word.length <= searchedWordLength ? word : [...word].slice(0, searchedWordLength).join(''),
  )
}

/** Words found by everyone, by users who see personal data, or by staff. Each includes those before. */
const wordMarks = { open: '', personal: '~', staff: '~~' } as const
export type WordSight = keyof typeof wordMarks
export const wordSights = Object.keys(wordMarks) as WordSight[]

/** Folded words never contain a mark. */
export const markWord = (word: string, sight: WordSight): string => wordMarks[sight] + word

export const findableForms = (word: string, sight: WordSight): string[] =>
  wordSights.slice(0, wordSights.indexOf(sight) + 1).map((one) => markWord(word, one))

/** More words hardly narrow a search, and each costs as much as the first. */
const maxWordsToFind = 8

/** Omits beginnings of other words, which match anyway. Of too many words, returns the longest. */
export function wordsToFind(text: string): string[] {
  const words = [...new Set(searchWords(text))]
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, maxWordsToFind)
}

/** Section 9, 'Lists'. */
export const listDescriptionLength = 60

/** Counts user-perceived characters, and adds an ellipsis. */
export function cutText(text: string, length: number = listDescriptionLength): string {
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)]
  if (characters.length <= length) return text
  return `${characters
    .slice(0, length)
    .map((character) => character.segment)
    .join('')
    .trimEnd()}…`
}

/** 'Custom field 1' for 'customField1'. Keeps abbreviations, and names with spaces. */
export function nameInWords(name: string): string {
  const text = /\s/.test(name) ? name : wordsOfIdentifier(name).join(' ')
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) || name
}

function wordsOfIdentifier(name: string): string[] {
  const parted = name.replace(/(\p{Ll})(?=[\p{Lu}\d])/gu, '$1_').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
  const words = parted.split(/_+/).filter(Boolean)
  return words.map((word) => (word === word.toUpperCase() ? word : word.toLowerCase()))
}

const maxEchoed = 2_000

export const shorten = (text: string) =>
  text.length <= maxEchoed ? text : `${text.slice(0, maxEchoed).toWellFormed()}…`
