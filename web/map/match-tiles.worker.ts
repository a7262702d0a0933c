import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import { featuresAsTiles } from '#domain/tiles/features-as-tiles.ts'
import { makeTile, type TileSource } from '#domain/tiles/make-tile.ts'
import { type MatchesAnswer, type MatchesQuestion, mostMatchSets } from './match-tiles.ts'

// Tiles of what was found are made here, beside the thread of the page.

const sources = new Map<number, TileSource>()

self.addEventListener('message', ({ data }: MessageEvent<MatchesQuestion>) => {
  answer(data).then(
    ({ value, moved = [] }) => post({ number: data.number, value }, moved),
    (error) => post({ number: data.number, error: String(error) }),
  )
})

const post = (message: MatchesAnswer, moved: Transferable[] = []) =>
  self.postMessage(message, { transfer: moved })

async function answer(question: MatchesQuestion): Promise<{ value: unknown; moved?: Transferable[] }> {
  const { set } = question
  if ('collection' in question) {
    const { features, numberMatched, numberReturned } = JSON.parse(question.collection) as FeatureCollection
    sources.set(set, featuresAsTiles(features))
    for (const former of [...sources.keys()].slice(0, -mostMatchSets)) sources.delete(former)
    return { value: { numberMatched, numberReturned } }
  }
  const source = sources.get(set)
  if (!source) return { value: new ArrayBuffer(0) }
  const tile = new Uint8Array(await makeTile(source, question.tile))
  return { value: tile.buffer, moved: [tile.buffer] }
}
