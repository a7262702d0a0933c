import { Layer, Source } from '@vis.gl/react-maplibre'
import { type BaseMapChoice, baseMapParts } from './base-maps.ts'

export function BaseMapLayers(choice: BaseMapChoice) {
  return baseMapParts(choice).map(({ id, source, layer }) => (
    <Source key={id} id={id} {...source}>
      <Layer {...layer} beforeId="data-start" />
    </Source>
  ))
}
