import { isStorableText } from '#domain/values/text.ts'

/** Nesting of parentheses, NOT and CASEI. */
export const maxFilterDepth = 32

/** `character` counts from 1. */
export class Cql2Error extends Error {
  constructor(message: string, character: number) {
    super(`${message}, at character ${character}`)
  }
}

type Token = { is: 'word' | 'quoted' | 'text' | 'number' | 'sign' | 'end'; text: string; at: number }

/** Names with dots need no quotation marks, unlike in the standard: ours have dots. */
const tokenPattern =
  /(?<word>[\p{L}_:][\p{L}\p{N}_:.]*)|"(?<quoted>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|(?<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<sign><>|<=|>=|[=<>(),])/uy

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  let index = 0
  for (;;) {
    index += /^\s*/.exec(text.slice(index))?.[0].length ?? 0
    const at = index + 1
    if (index === text.length) return [...tokens, { is: 'end', text: '', at }]
    tokenPattern.lastIndex = index
    const { groups, 0: whole = '' } = tokenPattern.exec(text) ?? {}
    const [kind, content] = Object.entries(groups ?? {}).find(([, content]) => content !== undefined) ?? []
    if (kind === undefined || content === undefined) throw new Cql2Error(describeFault(text.slice(index)), at)
    if (!isStorableText(content)) throw new Cql2Error('must not contain invalid characters', at)
    const quote = kind === 'text' ? "'" : kind === 'quoted' ? '"' : null
    tokens.push({
      is: kind as Token['is'],
      text: quote ? content.replaceAll(quote + quote, quote) : content,
      at,
    })
    index += whole.length
  }
}

function describeFault(rest: string): string {
  if (rest.startsWith("'")) return "has text without a closing quote. Write ' twice inside of text"
  if (rest.startsWith('"')) return 'has a name without a closing quote'
  return `has an unexpected ${JSON.stringify([...rest][0])}`
}

/** Methods that begin with `demand` throw a `Cql2Error` at any other token. */
export class TokenReader {
  private readonly tokens: readonly Token[]
  private index = 0
  private depth = 0

  constructor(text: string) {
    this.tokens = readTokens(text)
  }

  get next(): Token {
    return this.tokens[this.index] as Token
  }

  get textAfterNext(): string | undefined {
    return this.tokens[this.index + 1]?.text
  }

  take(): Token {
    const token = this.next
    if (token.is !== 'end') this.index++
    return token
  }

  isWord = (word: string) => this.next.is === 'word' && this.next.text.toLowerCase() === word

  takeWord(word: string): boolean {
    const isNext = this.isWord(word)
    if (isNext) this.take()
    return isNext
  }

  takeSign(sign: string): boolean {
    const isNext = this.next.is === 'sign' && this.next.text === sign
    if (isNext) this.take()
    return isNext
  }

  takeCall(name: string): boolean {
    const isNext = this.isWord(name) && this.textAfterNext === '('
    if (isNext) this.index += 2
    return isNext
  }

  demandWord(word: string) {
    if (!this.takeWord(word)) throw this.unexpected(word.toUpperCase())
  }

  demandSign(sign: string) {
    if (!this.takeSign(sign)) throw this.unexpected(sign)
  }

  demandText(expected: string): string {
    if (this.next.is !== 'text') throw this.unexpected(expected)
    return this.take().text
  }

  demandNumber(): number {
    const { is, text, at } = this.next
    const number = Number(text)
    if (is !== 'number' || !Number.isFinite(number)) throw this.unexpected('a number')
    if (Math.abs(number) > 1e300) throw new Cql2Error('has a number that is too large', at)
    this.take()
    return number
  }

  demandList<Item>(read: () => Item): Item[] {
    this.demandSign('(')
    const items = [read()]
    while (this.takeSign(',')) items.push(read())
    this.demandSign(')')
    return items
  }

  nest<Result>(at: number, read: () => Result): Result {
    if (this.depth === maxFilterDepth)
      throw new Cql2Error(`must not be more than ${maxFilterDepth} levels deep`, at)
    this.depth++
    const result = read()
    this.depth--
    return result
  }

  unexpected(expected: string): Cql2Error {
    const { is, text, at } = this.next
    return new Cql2Error(`must have ${expected} instead of ${is === 'end' ? 'the end' : `‘${text}’`}`, at)
  }
}
