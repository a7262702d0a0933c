/**
 * The name of a column as a key of JSON. GDAL from 3.8 on takes lines with these members for JSON-FG, wherever in a feature
 * they stand, and reads the first line alone; written like this they are the same keys, and it does not see them.
 */
export function toJsonKey(name: string): string {
  const text = JSON.stringify(name)
  return membersOfJsonFg.has(name) ? text.replace(/^"(.)/, (_, first) => `"${escaped(first)}`) : text
}

const membersOfJsonFg: ReadonlySet<string> = new Set([
  'conformsTo',
  'featureType',
  'coordRefSys',
  'place',
  'time',
])

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
