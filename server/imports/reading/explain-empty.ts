import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { formatList } from '#domain/values/wording.ts'
import { readRecords } from '../formats/read-records.ts'

const readBytes = 2 ** 20
const maxLinks = 3
const maxLinkCharacters = 200

export async function explainEmpty(path: string): Promise<string> {
  const text = await startOf(path)
  const start = text.trimStart()
  if (start.startsWith('<')) return explainKml(text)
  if (start.startsWith('{') || start.startsWith('[')) return explainJson(start)
  return explainTable(path)
}

function explainKml(text: string): string {
  const content = text.replaceAll(/<!--[\s\S]*?-->/g, '')
  const has = (name: string) => new RegExp(`<(\\w+:)?${name}[\\s/>]`).test(content)
  if (has('NetworkLink')) {
    const links = content.split(/<(?:\w+:)?NetworkLink[\s>]/).slice(1)
    const hrefs = links.flatMap(
      (link) => /<(?:\w+:)?href>\s*(?:<!\[CDATA\[)?([^<\]]+)/.exec(link)?.[1]?.trim() ?? [],
    )
    const shown = [...new Set(hrefs)]
      .slice(0, maxLinks)
      .map((href) => shorten(plain(href), maxLinkCharacters))
    const what = shown.length > 0 ? `only links to ${formatList(shown)}` : 'only links to other files'
    return `The KML has no places, ${what}. Download the linked file and import that.`
  }
  if (has('GroundOverlay') || has('ScreenOverlay') || has('PhotoOverlay'))
    return 'The KML has only image overlays, no places (Placemarks).'
  if (has('Style') || has('StyleMap'))
    return 'The KML has only styles, no places (Placemarks). Export it again with places.'
  return 'The KML has no places (Placemarks). Export it again with places.'
}

const shorten = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

const plain = (href: string) => href.replaceAll('&amp;', '&')

function explainJson(text: string): string {
  if (/^\[\s*\]/.test(text)) return 'The file is an empty list: []. Export it again with rows.'
  if (/"features"\s*:\s*\[\s*\]/.test(text))
    return 'The file is a FeatureCollection without features. Export it again, and check for a filter or an empty selection.'
  return 'The file has no rows. Export it again with rows.'
}

async function explainTable(path: string): Promise<string> {
  let names: string[] = []
  const chunks = (async function* () {
    // The parser looks ahead before it ends a row.
    yield Buffer.from(`${await startOf(path)}${'\n'.repeat(8)}`)
  })()
  const onTable = ({ headerRow, rows }: { headerRow: number; rows: readonly string[][] }) => {
    names = (rows[headerRow - 1] ?? []).filter((name) => name !== '').slice(0, 10)
  }
  for await (const _ of readRecords({ name: basename(path), chunks }, () => {}, { onTable })) break
  if (names.length === 0) return 'The table has no rows.'
  return `The table only has a header (${names.map((name) => shorten(name, 40)).join(', ')}) and no rows.`
}

async function startOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, 0)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}
