import { Layer, Source } from '@vis.gl/react-maplibre'
import type { LayerSpecification } from 'maplibre-gl'
import {
  type DataLayer,
  featureSource,
  featureTiles,
  fromRest,
  layersOf,
  type MapStyle,
  restLayersOf,
  restSource,
} from './map-style.ts'
import type { ShownData } from './use-tile-updates.ts'

type FeatureLayersProps = ShownData & {
  style: MapStyle
  ground: readonly DataLayer[]
  lineNames: DataLayer | null
}

export function FeatureLayers(props: FeatureLayersProps) {
  const { tiles, rest, style, isVisible, ground, lineNames } = props
  const names = lineNames as LayerSpecification | null
  return (
    <>
      {rest !== null && (
        <Source id={restSource} {...featureTiles(rest)}>
          {ground.map((layer) => (
            <Layer key={layer.id} beforeId="base-start" {...fromRest(layer as LayerSpecification)} />
          ))}
          {restLayersOf(style, isVisible).map((layer) => (
            <Layer key={layer.id} beforeId="matches-start" {...layer} />
          ))}
          {names && <Layer beforeId={style.firstPinLayer} {...fromRest(names)} />}
        </Source>
      )}
      <Source id={featureSource} {...featureTiles(tiles)}>
        {ground.map((layer) => (
          <Layer key={layer.id} beforeId="base-start" {...(layer as LayerSpecification)} />
        ))}
        {layersOf(style, isVisible).map((layer) => (
          <Layer key={layer.id} {...layer} />
        ))}
        {names && rest === null && <Layer beforeId={style.firstPinLayer} {...names} />}
      </Source>
    </>
  )
}
