import { Layer, Source } from '@vis.gl/react-maplibre'
import type { LayerSpecification } from 'maplibre-gl'
import { type DataLayer, featureSource, type Look } from './look.ts'
import type { ShownData } from './use-tile-updates.ts'

/** Deepest zoom of the tiles that the server makes. */
const maxTileZoom = 17

type FeatureLayersProps = ShownData & {
  look: Look
  /** Below all base maps. */
  ground: readonly DataLayer[]
  /** Names along lines, above all data but its points. */
  lineNames: DataLayer | null
}

/** The map's data: every look is drawn from the same vector tiles. */
export function FeatureLayers({ tiles, look, isVisible, ground, lineNames }: FeatureLayersProps) {
  return (
    <Source id={featureSource} type="vector" tiles={[tiles]} minzoom={0} maxzoom={maxTileZoom} promoteId="id">
      {ground.map((layer) => (
        <Layer key={layer.id} beforeId="base-start" {...(layer as LayerSpecification)} />
      ))}
      {look.drawn.flatMap(({ group, layers }) =>
        layers.map((layer) => (
          <Layer
            key={layer.id}
            {...({
              ...layer,
              layout: { ...layer.layout, visibility: isVisible[group] ? 'visible' : 'none' },
            } as LayerSpecification)}
          />
        )),
      )}
      {lineNames && <Layer beforeId={look.firstPinLayer} {...(lineNames as LayerSpecification)} />}
    </Source>
  )
}
