import { type ChildProcess, fork } from 'node:child_process'
import { BusyError } from '../../domain-error.ts'
import type { ConvertAnswer, ConvertOrder } from './convert-order.ts'

/** It has taken too long, or too much memory: less may succeed. */
export class ConversionError extends BusyError {}

/** GDAL refuses to write what it was given. */
export class FormatError extends Error {}

/** Has GDAL write the files in a process of its own; returns their paths. Rejects with the signal's reason where that ends it. */
export async function runConversion(
  order: ConvertOrder,
  { signal, timeLimitMs }: { signal: AbortSignal; timeLimitMs: number },
): Promise<string[]> {
  signal.throwIfAborted()
  const child = fork(new URL('./convert-export.process.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  const timer = setTimeout(end, timeLimitMs)
  signal.addEventListener('abort', end)
  try {
    const answer = await answerOf(child, order)
    signal.throwIfAborted()
    if (!answer)
      throw new ConversionError(
        'Writing the file took too long or too much memory. Export less, or as GeoJSON.',
      )
    if ('problem' in answer) throw new FormatError(`An export could not be written: ${answer.problem}`)
    return answer.paths
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Undefined where it ended without one. */
function answerOf(child: ChildProcess, order: ConvertOrder): Promise<ConvertAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let answer: ConvertAnswer | undefined
    child.on('message', (message: ConvertAnswer) => {
      answer = message
    })
    child.once('error', reject)
    child.once('exit', () => resolve(answer))
    child.send(order, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}
