import { Layer, Source, useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useState } from 'react'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { type BaseMapChoice, baseMapParts, baseMapsToRead, type ReadBaseMap } from './base-maps.ts'
import type { BaseMapStyle } from './read-base-map.ts'

type BaseMapLayersProps = BaseMapChoice & {
  onUnavailable(): void
}

export function BaseMapLayers({ onUnavailable, ...choice }: BaseMapLayersProps) {
  return (
    <>
      {baseMapParts(choice).map(({ id, source, layer }) => (
        <Source key={id} id={id} {...source}>
          <Layer {...layer} beforeId="data-start" />
        </Source>
      ))}
      {baseMapsToRead(choice).map((baseMap) => (
        <ReadBaseMapLayers key={baseMap.id} baseMap={baseMap} onUnavailable={onUnavailable} />
      ))}
    </>
  )
}

function ReadBaseMapLayers({ baseMap, onUnavailable }: { baseMap: ReadBaseMap; onUnavailable(): void }) {
  const [style, setStyle] = useState<BaseMapStyle | null>(null)
  const { current } = useMap()
  const begin = useEffectEvent((signal: AbortSignal) => read(baseMap, signal))
  const lose = useEffectEvent(onUnavailable)
  useEffect(() => {
    const controller = new AbortController()
    begin(controller.signal).then(
      (found) => controller.signal.aborted || setStyle(found),
      (error) => {
        if (controller.signal.aborted) return
        console.warn(error)
        lose()
      },
    )
    return () => controller.abort()
  }, [])
  const sprite = style?.sprite ?? null
  useEffect(() => {
    const map = current?.getMap()
    if (!map || sprite === null) return
    map.setSprite(sprite)
    return () => void map.setSprite(null)
  }, [current, sprite])
  if (!style) return null
  return (
    <>
      {style.sources.map(({ id, source }) => (
        <Source key={id} id={id} {...source} />
      ))}
      {style.layers.map((layer) => (
        <Layer key={layer.id} {...layer} beforeId="data-start" />
      ))}
    </>
  )
}

async function read(baseMap: ReadBaseMap, signal: AbortSignal): Promise<BaseMapStyle> {
  const { readBaseMap } = await loadChunk(() => import('./read-base-map.ts'))
  return readBaseMap(baseMap, signal)
}
