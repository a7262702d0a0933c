import { Layer, Source } from '@vis.gl/react-maplibre'
import type { LayerSpecification } from 'maplibre-gl'
import { type DataLayer, featureSource, featureTiles, layersOf, type MapStyle } from './map-style.ts'
import type { ShownData } from './use-tile-updates.ts'

type FeatureLayersProps = ShownData & {
  style: MapStyle
  ground: readonly DataLayer[]
  lineNames: DataLayer | null
}

export function FeatureLayers({ tiles, style, isVisible, ground, lineNames }: FeatureLayersProps) {
  return (
    <Source id={featureSource} {...featureTiles(tiles)}>
      {ground.map((layer) => (
        <Layer key={layer.id} beforeId="base-start" {...(layer as LayerSpecification)} />
      ))}
      {layersOf(style, isVisible).map((layer) => (
        <Layer key={layer.id} {...layer} />
      ))}
      {lineNames && <Layer beforeId={style.firstPinLayer} {...(lineNames as LayerSpecification)} />}
    </Source>
  )
}
