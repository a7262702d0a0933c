import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { ProblemError } from './problem.ts'

/** The sample map is a shared playground: records would be lost there. */
export function refuseSample(mapId: string, advice = 'add a client to save records.') {
  if (mapId === sampleMapId) throw new ProblemError(403, `The sample map does not save changes: ${advice}`)
}
