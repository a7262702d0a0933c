import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import { featuresAsTiles } from '#domain/tiles/features-as-tiles.ts'
import { makeTile, type TileSource } from '#domain/tiles/make-tile.ts'
import { type MatchesAnswer, type MatchesRequest, maxMatchSets } from './match-tiles.ts'

const sources = new Map<number, TileSource>()

self.addEventListener('message', ({ data }: MessageEvent<MatchesRequest>) => {
  answer(data).then(
    ({ value, moved = [] }) => post({ number: data.number, value }, moved),
    (error) => post({ number: data.number, error: String(error) }),
  )
})

const post = (message: MatchesAnswer, moved: Transferable[] = []) =>
  self.postMessage(message, { transfer: moved })

async function answer(request: MatchesRequest): Promise<{ value: unknown; moved?: Transferable[] }> {
  const { set } = request
  if ('collection' in request) {
    const { features, numberMatched, numberReturned } = JSON.parse(request.collection) as FeatureCollection
    sources.set(set, featuresAsTiles(features))
    for (const oldest of [...sources.keys()].slice(0, -maxMatchSets)) sources.delete(oldest)
    return { value: { numberMatched, numberReturned } }
  }
  const source = sources.get(set)
  if (!source) return { value: new ArrayBuffer(0) }
  const tile = new Uint8Array(await makeTile(source, request.tile))
  return { value: tile.buffer, moved: [tile.buffer] }
}
