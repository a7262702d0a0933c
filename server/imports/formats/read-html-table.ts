// Google Earth and ArcGIS put the attributes of a place into its description, as an HTML table of names and values.

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decode = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const tidy = (text: string) => decode(text).replace(/\s+/g, ' ').trim()

/** Names and values of rows of two cells, and the text outside of them; undefined for a text without such rows. */
export function readHtmlTable(
  html: string,
): { pairs: [name: string, value: string][]; rest: string } | undefined {
  if (!/<tr[\s>]/i.test(html)) return undefined
  const pairs: [string, string][] = []
  const rest: string[] = []
  let cells: string[] = []
  let isInCell = false
  const endRow = () => {
    const [name = '', value = '', ...others] = cells.map(tidy)
    if (cells.length === 2 && name !== '' && others.length === 0) pairs.push([name, value])
    else rest.push(...cells)
    cells = []
    isInCell = false
  }
  for (const { tag, text } of tokensOf(html)) {
    if (tag === undefined) {
      if (isInCell) cells.push((cells.pop() ?? '') + text)
      else rest.push(text)
    } else if (tag === 'tr' || tag === '/tr' || tag === '/table') endRow()
    else if (tag === 'td' || tag === 'th') {
      cells.push('')
      isInCell = true
    } else if (tag === '/td' || tag === '/th') isInCell = false
    else if ((tag === 'br' || tag === '/p') && isInCell) cells.push(`${cells.pop() ?? ''} `)
  }
  endRow()
  return pairs.length > 0 ? { pairs, rest: tidy(rest.join(' ')) } : undefined
}

/** Tags by their names, and the texts between them, in one pass. The texts of styles and comments are none. */
function* tokensOf(html: string): Generator<{ tag?: string; text: string }> {
  let hidden: string | undefined
  for (let at = 0; at < html.length; ) {
    const begin = html.indexOf('<', at)
    const end = begin < 0 ? -1 : html.indexOf(html.startsWith('<!--', begin) ? '-->' : '>', begin)
    if (end < 0) {
      yield { text: html.slice(at) }
      return
    }
    if (begin > at && hidden === undefined) yield { text: html.slice(at, begin) }
    const tag = /^<(\/?[a-z]{1,10})\b/i.exec(html.slice(begin, begin + 12))?.[1]?.toLowerCase()
    if (hidden === undefined && /^(style|script|title)$/.test(tag ?? '')) hidden = tag
    else if (tag === `/${hidden}`) hidden = undefined
    if (tag !== undefined && hidden === undefined) yield { tag, text: '' }
    at = end + 1
  }
}
