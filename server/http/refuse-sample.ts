import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { ProblemError } from './problem.ts'

/** The sample map is a shared playground: records would be lost there. */
export function refuseSample(mapId: string, advice = 'make a client of your own to keep records.') {
  if (mapId === sampleMapId) throw new ProblemError(403, `The sample map saves no changes: ${advice}`)
}
