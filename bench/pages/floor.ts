import { shapeStyle } from '#web/map/shape-style.ts'
import { showBareMap } from './bare-map.ts'
import { dataUrl } from './parameters.ts'

// The floor: the viewer's layers and tiles without a page around them.

showBareMap(
  { type: 'vector', tiles: [dataUrl], minzoom: 0, maxzoom: 17 },
  shapeStyle.drawn.flatMap(({ layers }) => layers),
)
