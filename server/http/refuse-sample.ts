import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { ProblemError } from './problem.ts'

/** Everyone tries things out on the sample map: work would be lost there. */
export function refuseSample(mapId: string, advice = 'make a client of your own to keep records.') {
  if (mapId === sampleMapId) throw new ProblemError(403, `The sample map saves no changes: ${advice}`)
}
