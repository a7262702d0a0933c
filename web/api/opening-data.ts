import type { OpeningData } from '#domain/opening/opening.schema.ts'
import { openingElementId } from '#domain/opening/opening-page.ts'

export function readOpening(): OpeningData | null {
  const text = document.getElementById(openingElementId)?.textContent
  return text ? (JSON.parse(text) as OpeningData) : null
}
