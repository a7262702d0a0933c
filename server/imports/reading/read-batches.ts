import type { ImportInput } from '../formats/read-records.ts'
import {
  type BatchCounts,
  type BuiltPart,
  noCounts,
  openReader,
  type Reader,
  type ReadingKey,
  type Repeated,
  type RowBatch,
} from './read-rows.ts'
import type { ReadingOptions } from './reading-options.ts'
import { FirstRows, type Survey } from './survey.ts'

/** `total` of all batches so far. The last batch has no rows, but the survey. */
export type ReadBatch = RowBatch & { total: BatchCounts; survey?: Survey }

export const rowsPerGroup = 500

export async function* readBatches(
  input: ImportInput,
  options: ReadingOptions,
  key: ReadingKey,
): AsyncGenerator<ReadBatch> {
  const turns = { reader: 0, readers: 1, size: rowsPerGroup }
  yield* mergeBatches([await openReader(input, options, key, turns)])
}

/** A reader would wait while the rows of another are stored. */
const batchesAhead = 3

/** In the order of the file. Yields all batches and notices before it throws. */
export async function* mergeBatches(readers: readonly Reader[]): AsyncGenerator<ReadBatch> {
  const firstRows = new FirstRows()
  const noticed = new Set<string>()
  const total = { ...noCounts }
  const underWay: Promise<RowBatch>[] = []
  const next = async (): Promise<ReadBatch> => {
    const batch = (await underWay.shift()) as RowBatch
    const { bytesRead, ...counts } = batch.counts
    for (const [name, count] of Object.entries(counts)) total[name as keyof BatchCounts] += count
    total.bytesRead = Math.max(total.bytesRead, bytesRead)
    // Each reader may notice the same.
    const notices = batch.notices.filter((notice) => !noticed.has(notice))
    for (const notice of notices) noticed.add(notice)
    return { ...batch, notices, total: { ...total } }
  }
  let failure: unknown
  try {
    for await (const { reader, part } of partsInOrder(readers)) {
      const batch = reader.finish(findRepeated(part, firstRows))
      // It is awaited later, unless an earlier one fails first: then its rejection is ignored.
      batch.catch(() => {})
      underWay.push(batch)
      if (underWay.length > batchesAhead) yield await next()
    }
  } catch (error) {
    failure = error
  }
  while (underWay.length > 0) yield await next()
  if (failure !== undefined) throw failure
  const [first, ...others] = readers as [Reader, ...Reader[]]
  const survey = await first.survey(await Promise.all(others.map((other) => other.found())))
  yield { ...noRows, total, survey }
}

async function* partsInOrder(readers: readonly Reader[]) {
  for (let group = 0; ; group++) {
    const reader = readers[group % readers.length] as Reader
    for (let endsGroup = false; !endsGroup; ) {
      const part = await reader.build()
      if (!part) return
      endsGroup = part.endsGroup
      yield { reader, part }
    }
  }
}

const noRows = { columns: [], values: [], reported: [], placeless: [], notices: [], counts: noCounts }

function findRepeated({ ids, rows }: BuiltPart, firstRows: FirstRows): Repeated {
  const repeated = new Map<number, number>()
  for (const [index, row] of rows.entries()) {
    const first = firstRows.claim(ids[index] as bigint, row)
    if (first !== undefined) repeated.set(row, first)
  }
  return repeated
}
