// JSON.parse does not always say where it stopped; this does. It runs only on text that JSON.parse refused.

type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a name'
  | 'a name or }'
  | 'a colon'
  | ', or }'
  | ', or ]'
  | 'nothing more'

const whitespace = new Set([' ', '\t', '\n', '\r'])
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Index of the first character that breaks the rules of JSON (RFC 8259), and what should be there. */
export function findJsonError(text: string): { index: number; message: string } | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let index = 0
  const fail = (message: string) => ({ index, message })
  const afterValue = (): Expected => {
    const container = open.at(-1)
    if (!container) return 'nothing more'
    return container === '{' ? ', or }' : ', or ]'
  }

  for (;;) {
    while (whitespace.has(text[index] ?? '')) index++
    const character = text[index]
    if (character === undefined)
      return expected === 'nothing more' ? undefined : fail(`the text ends where ${expected} should follow`)
    const unexpected = () => fail(`found ${JSON.stringify(character)} where ${expected} should be`)
    const isValue: boolean = expected === 'a value' || expected === 'a value or ]'

    if (character === '"' && (isValue || expected.startsWith('a name'))) {
      const end = endOfString(text, index)
      if (typeof end !== 'number') return end
      index = end
      expected = isValue ? afterValue() : 'a colon'
    } else if ((character === '{' || character === '[') && isValue) {
      open.push(character)
      expected = character === '{' ? 'a name or }' : 'a value or ]'
      index++
    } else if (character === '}' || character === ']') {
      const opening = character === '}' ? '{' : '['
      const mayClose = expected.endsWith(`or ${character}`)
      if (!mayClose || open.pop() !== opening) return unexpected()
      expected = afterValue()
      index++
    } else if (character === ',' && expected.startsWith(',')) {
      expected = open.at(-1) === '{' ? 'a name' : 'a value'
      index++
    } else if (character === ':' && expected === 'a colon') {
      expected = 'a value'
      index++
    } else if (isValue) {
      literal.lastIndex = index
      const length = literal.exec(text)?.[0].length
      if (!length) return unexpected()
      index += length
      expected = afterValue()
    } else return unexpected()
  }
}

function endOfString(text: string, start: number): number | { index: number; message: string } {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"') return index + 1
    if (character < ' ') return { index, message: 'found a control character inside a text' }
    if (character !== '\\') continue
    const escaped = text.slice(index + 1, index + 6)
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(escaped))
      return { index, message: `found the unknown escape \\${escaped.slice(0, 1)} inside a text` }
    index++
  }
  return { index: start, message: 'found a text that never ends' }
}
