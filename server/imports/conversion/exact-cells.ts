import { Transform } from 'node:stream'

// GDAL reads a number of Excel without its format, prints at most 15 digits of it beside texts in the same column, and takes a text
// that a formula results in (`t="str"`) for a number where it looks like one. Such cells become plain texts.

/** By the index of a cell's style: how many digits its numbers have at least, with zeros before them. */
export type DigitsOfStyles = ReadonlyMap<string, number>

/** A format of zeros only, in its first section; `[$-409]` and `[Red]` change no digit. */
const onlyZeros = /^(?:\[[^\]<>=]*\])*(0{2,})(?:;|$)/

/** The number of zeros of a format that has nothing else, two at least; undefined for others. */
export const zerosOf = (format: string): number | undefined => onlyZeros.exec(format)?.[1]?.length

/** Cell styles that pad numbers with zeros, from the text of styles.xml. */
export function readDigitsOfStyles(styles: string): DigitsOfStyles {
  const formats = new Map<string, number>()
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<>]*>/g)) {
    const zeros = zerosOf(attributeOf(tag, 'formatCode') ?? '')
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

const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)

const formula = /(?:<(?:\w+:)?f\b[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)\s*)?/.source
const longNumber = /<(?:\w+:)?v>\s*-?(?:\d{16}|\d{1,15}(?:\.\d{1,20})?[Ee]\+?\d)/
const numericResult = new RegExp(
  `\\st\\s*=\\s*["']str["'][^<>]{0,100}>\\s*${formula}<(?:\\w+:)?v>\\s*[-+.\\d]`,
)

/** Whether a text may have a number with more than 15 digits, or a text of a formula that looks like a number. */
export const hasInexactCell = (xml: string): boolean => longNumber.test(xml) || numericResult.test(xml)

/** A cell of a number or a result, perhaps with its formula. */
const valueCell = new RegExp(
  `<((?:\\w+:)?)c(\\s[^<>]*)?>(\\s*${formula})<(?:\\w+:)?v>([^<]*)</(?:\\w+:)?v>`,
  'g',
)

/** Makes texts of the numbers in cells that would lose zeros or digits; others stay as they are, byte for byte. */
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

/** Undefined for a number that GDAL reads as it is shown. */
function exactText(value: string, zeros: number): string | undefined {
  const [, sign = '', first = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[Ee]\+?(\d{1,2}))?$/.exec(value) ?? []
  const places = Number(exponent)
  const isWhole = first !== '' && /^0*$/.test(fraction.slice(places)) && places < 30
  if (!isWhole) return undefined
  const whole = (first + fraction.slice(0, places).padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  return zeros > 0 || whole.length > 15 ? sign + whole.padStart(zeros, '0') : undefined
}

/** No cell of Excel is longer: a formula has 8,192 characters at most, which may be entities. */
const mostOfCell = 65_536

/** Rewrites a worksheet as a stream, with exact cells. Holds back only a cell that goes on in the next chunk. */
export function createExactCells(digits: DigitsOfStyles): Transform {
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + chunk.toString('latin1')
      const end = endOfWholeCells(text)
      rest = text.slice(end)
      done(null, Buffer.from(withExactCells(text.slice(0, end), digits), 'latin1'))
    },
    flush(done) {
      done(null, Buffer.from(withExactCells(rest, digits), 'latin1'))
    },
  })
}

/** Where the last cell begins; without one, where a tag begins that does not end. */
export function endOfWholeCells(text: string): number {
  const least = Math.max(0, text.length - mostOfCell)
  for (let at = text.lastIndexOf('<'); at >= least; at = at > 0 ? text.lastIndexOf('<', at - 1) : -1)
    if (/^<(?:\w+:)?c[\s>]/.test(text.slice(at, at + 50))) return at
  const begun = /<[\w:]{0,50}$/.exec(text.slice(-60))
  return begun ? text.length - begun[0].length : text.length
}
