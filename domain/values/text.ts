/**
 * A text without control characters that no engine can store (NUL) and without lone surrogates, which
 * PostgreSQL refuses inside JSON.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Whether a text is the address of a page of the web. Anything else that a link can say, such as a script, is none. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/** A web address has no more UTF-16 units. */
export const linkLength = 2_000

/** Whether every object has something of this name, such as 'constructor'. */
export const isReservedWord = (name: string) => name in {}

/** Lower case, accents removed, words of letters and digits joined by single spaces: what search compares. */
export function foldText(text: string): string {
  // Most texts are no more than ASCII, where there is less to do.
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

/** Without the difference between capital and small letters, alike on both engines; accents stay. */
export const foldCase = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Longer words are told apart by their beginning only: engines refuse words of more than about 2,000 bytes. */
const searchedWordLength = 200

/** The folded words of a text, as they are stored for search. */
export function searchWords(text: string): string[] {
  const words = foldText(text).split(' ').filter(Boolean)
  return words.map((word) =>
    word.length <= searchedWordLength ? word : [...word].slice(0, searchedWordLength).join(''),
  )
}

/** Who finds a feature by a word: everyone, those who see personal data, or staff. Each finds the words before it, too. */
const wordMarks = { open: '', personal: '~', staff: '~~' } as const
export type WordSight = keyof typeof wordMarks
export const wordSights = Object.keys(wordMarks) as WordSight[]

/** The stored form of a folded word, which never contains a mark itself. */
export const markWord = (word: string, sight: WordSight): string => wordMarks[sight] + word

/** The stored forms of a word that a search with this sight looks for. */
export const findableForms = (word: string, sight: WordSight): string[] =>
  wordSights.slice(0, wordSights.indexOf(sight) + 1).map((one) => markWord(word, one))

/** More words hardly narrow a search any further, and each costs as much as the first. */
const mostWordsToFind = 8

/**
 * The words of a search. A word that is the beginning of another one is left out, because every match of the longer
 * word matches it too. Of more than eight words the longest are kept, as they match the fewest features.
 */
export function wordsToFind(text: string): string[] {
  const words = [...new Set(searchWords(text))]
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostWordsToFind)
}

/** Section 9, 'Lists': descriptions cut at 60 characters. */
export const listDescriptionLength = 60

/** Cuts at `length` user-perceived characters and marks the cut with an ellipsis. */
export function cutText(text: string, length: number = listDescriptionLength): string {
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)]
  if (characters.length <= length) return text
  return `${characters
    .slice(0, length)
    .map((character) => character.segment)
    .join('')
    .trimEnd()}…`
}

/**
 * The name of a column or property as people write it: 'Custom field 1' for 'customField1'. Abbreviations keep their
 * capitals, and what has spaces its words.
 */
export function nameInWords(name: string): string {
  const text = /\s/.test(name) ? name : wordsOfIdentifier(name).join(' ')
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) || name
}

function wordsOfIdentifier(name: string): string[] {
  const parted = name.replace(/(\p{Ll})(?=[\p{Lu}\d])/gu, '$1_').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
  const words = parted.split(/_+/).filter(Boolean)
  return words.map((word) => (word === word.toUpperCase() ? word : word.toLowerCase()))
}

/** Messages echo keys and values of any length. */
const mostEchoed = 2_000

export const shorten = (text: string) =>
  text.length <= mostEchoed ? text : `${text.slice(0, mostEchoed).toWellFormed()}…`
