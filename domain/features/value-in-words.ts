import type { Field } from '../definition/definition.ts'
import { statusLabels } from '../definition/kinds.ts'
import { severityLabels } from '../incidents/incident-types.ts'
import { nameInWords } from '../values/text.ts'

/** The text of a flag or a choice. Other values are returned unchanged. */
export function valueInWords({ value: type, column }: Field, value: unknown): unknown {
  if (column === 'severity' && value === null) return severityLabels.unknown
  if (value === null) return null
  if (type.type === 'flag') return flagInWords(type.words, value === true)
  if (type.type !== 'choice') return value
  const text = String(value)
  return type.choices[text] ?? nameInWords(text)
}

function flagInWords(words: { yes: string; no: string } | undefined, value: boolean): string {
  if (!words) return value ? 'Yes' : 'No'
  const word = value ? words.yes : words.no
  return Object.entries(statusLabels).find(([status]) => status === word)?.[1] ?? nameInWords(word)
}
