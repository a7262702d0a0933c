import type { ConvertedFormat } from '#domain/exports/export-format.ts'
import { BusyError } from '../../domain-error.ts'
import { runInChild } from '../../processes/processes.ts'

export type LayerToConvert = { name: string; path: string; isEmpty: boolean }

export type ConvertOrder = {
  format: ConvertedFormat
  layers: readonly LayerToConvert[]
  folder: string
  name: string
}

export type ConvertAnswer = { paths: string[] } | { problem: string }

/** The conversion took too long or too much memory: a smaller one may succeed. */
export class ConversionError extends BusyError {}

export class FormatError extends Error {}

/** Rejects with the signal's reason when aborted. */
export async function runConversion(
  order: ConvertOrder,
  { signal, timeLimitMs }: { signal: AbortSignal; timeLimitMs: number },
): Promise<string[]> {
  const file = new URL('./convert-export.process.ts', import.meta.url)
  const outcome = await runInChild<ConvertOrder, ConvertAnswer>(file, order, {
    signal,
    totalMs: timeLimitMs,
  })
  if (!('answer' in outcome))
    throw new ConversionError(
      outcome.ended === 'exited'
        ? 'Writing the file stopped unexpectedly. Try again, or export as GeoJSON.'
        : 'Writing the file took too long or too much memory. Export less, or as GeoJSON.',
    )
  if ('problem' in outcome.answer)
    throw new FormatError(`An export could not be written: ${outcome.answer.problem}`)
  return outcome.answer.paths
}
