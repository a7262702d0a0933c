import { Layer, Source } from '@vis.gl/react-maplibre'
import type { LayerSpecification } from 'maplibre-gl'
import { featureSource, type Look } from './look.ts'
import type { ShownData } from './use-tile-updates.ts'

/** Deepest zoom of the tiles that the server makes. */
const maxTileZoom = 17

type FeatureLayersProps = ShownData & { look: Look }

/** The map's data: every look is drawn from the same vector tiles. */
export function FeatureLayers({ tiles, look, isVisible }: FeatureLayersProps) {
  return (
    <Source id={featureSource} type="vector" tiles={[tiles]} minzoom={0} maxzoom={maxTileZoom} promoteId="id">
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
    </Source>
  )
}
