import { Transform } from 'node:stream'

// GDAL reads a number of Excel without its format, prints at most 15 digits beside texts in the same column, and reads
// the text result of a formula (`t="str"`) as a number if it looks like one. Such cells become plain texts.

export type DigitsOfStyles = ReadonlyMap<string, number>

/** Zeros only, in its first section; `[$-409]` and `[Red]` change no digit. */
const onlyZeros = /^(?:\[[^\]<>=]*\])*(0{2,})(?:;|$)/

export const countZeros = (format: string): number | undefined => onlyZeros.exec(format)?.[1]?.length

export function readDigitsOfStyles(styles: string): DigitsOfStyles {
  const formats = new Map<string, number>()
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<>]*>/g)) {
    const zeros = countZeros(attributeOf(tag, 'formatCode') ?? '')
    if (zeros !== undefined) formats.set(attributeOf(tag, 'numFmtId') ?? '', zeros)
  }
  const digits = new Map<string, number>()
  const from = styles.search(/<(?:\w+:)?cellXfs[\s>]/)
  if (from < 0) return digits
  const [cellStyles = ''] = styles.slice(from).split(/<\/(?:\w+:)?cellXfs>/, 1)
  for (const [index, [tag]] of [...cellStyles.matchAll(/<(?:\w+:)?xf\s[^<>]*>/g)].entries()) {
    const zeros = formats.get(attributeOf(tag, 'numFmtId') ?? '')
    if (zeros !== undefined) digits.set(String(index), zeros)
  }
  return digits
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  return double ?? single
}

const formula = /(?:<(?:\w+:)?f\b[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)\s*)?/.source
const longNumber = /<(?:\w+:)?v>\s*-?(?:\d{16}|\d{1,15}(?:\.\d{1,20})?[Ee]\+?\d)/
const numericResult = new RegExp(
  `\\st\\s*=\\s*["']str["'][^<>]{0,100}>\\s*${formula}<(?:\\w+:)?v>\\s*[-+.\\d]`,
)

export const hasInexactCell = (xml: string): boolean => longNumber.test(xml) || numericResult.test(xml)

const valueCell = new RegExp(
  `<((?:\\w+:)?)c(\\s[^<>]*)?>(\\s*${formula})<(?:\\w+:)?v>([^<]*)</(?:\\w+:)?v>`,
  'g',
)

export function withExactCells(xml: string, digits: DigitsOfStyles): string {
  return xml.replace(valueCell, (whole, prefix: string, attributes = '', before: string, value: string) => {
    const type = attributeOf(attributes, 't') ?? 'n'
    const zeros = digits.get(attributeOf(attributes, 's') ?? '0') ?? 0
    const text = type === 'str' ? value : type === 'n' ? exactText(value.trim(), zeros) : undefined
    if (text === undefined) return whole
    const others = attributes.replace(/\st\s*=\s*["']\w*["']/, '')
    return `<${prefix}c${others} t="inlineStr">${before}<${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is>`
  })
}

function exactText(value: string, zeros: number): string | undefined {
  const [, sign = '', first = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[Ee]\+?(\d{1,2}))?$/.exec(value) ?? []
  const places = Number(exponent)
  const isWhole = first !== '' && /^0*$/.test(fraction.slice(places)) && places < 30
  if (!isWhole) return undefined
  const whole = (first + fraction.slice(0, places).padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  return zeros > 0 || whole.length > 15 ? sign + whole.padStart(zeros, '0') : undefined
}

/** Longer than any cell of Excel: a formula has at most 8,192 characters, which may be entities. */
const maxCellCharacters = 65_536

/** Holds back a cell that continues in the next chunk. */
export function createExactCells(digits: DigitsOfStyles): Transform {
  let rest = ''
  const exact = (text: string) => Buffer.from(withExactCells(text, digits), 'latin1')
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + chunk.toString('latin1')
      const end = endOfWholeCells(text)
      rest = text.slice(end)
      done(null, exact(text.slice(0, end)))
    },
    flush: (done) => done(null, exact(rest)),
  })
}

export function endOfWholeCells(text: string): number {
  const least = Math.max(0, text.length - maxCellCharacters)
  for (let at = text.lastIndexOf('<'); at >= least; at = at > 0 ? text.lastIndexOf('<', at - 1) : -1)
    if (/^<(?:\w+:)?c[\s>]/.test(text.slice(at, at + 50))) return at
  const cutOff = /<[\w:]{0,50}$/.exec(text.slice(-60))
  return cutOff ? text.length - cutOff[0].length : text.length
}
