import { Layer, Source } from '@vis.gl/react-maplibre'
import type { LayerSpecification } from 'maplibre-gl'
import { groundLayers, lineNamesLayer, type NamedLine } from './ground-layers.ts'
import {
  featureSource,
  featureTiles,
  fromRest,
  isDrawn,
  layersOf,
  type MapStyle,
  restLayersOf,
  restSource,
} from './map-style.ts'
import { mapStyleOf } from './map-styles.ts'
import { type NamedPlace, NamedPlaces } from './named-places.tsx'
import type { ShownData } from './use-tile-updates.ts'

type FeatureLayersProps = ShownData & {
  styleName: MapStyle['name']
  hasGround: boolean
  lineNames: readonly NamedLine[]
  parcelNames: NamedPlace[]
}

/** Everything drawn for features, so that nothing of a hidden layer stays. */
export function FeatureLayers(props: FeatureLayersProps) {
  const { tiles, rest, isVisible, isDark, hasGround, parcelNames } = props
  const style = mapStyleOf(props)
  const ground = hasGround ? groundLayers(isDark, style, isVisible) : []
  const hasLines = hasGround && isDrawn(style, isVisible, 'asset', 'line')
  const lineNames = hasLines ? lineNamesLayer(props.lineNames, isDark) : null
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
      {parcelNames.length > 0 && isDrawn(style, isVisible, 'parcel', 'polygon') && (
        <NamedPlaces id="parcel-names" places={parcelNames} isDark={isDark} beforeId={style.firstPinLayer} />
      )}
    </>
  )
}
