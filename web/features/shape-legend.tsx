import { LegendGroup } from './legend-frame.tsx'
import { ShapeIcon } from './shape-icon.tsx'

export function ShapeLegend({ isVisible }: { isVisible: Readonly<Record<string, boolean>> }) {
  return (
    <>
      <LegendGroup title="Shapes">
        {isVisible.point && (
          <li>
            <ShapeIcon kind="asset" shape="point" size={20} />
            Point
          </li>
        )}
        {isVisible.line && (
          <li>
            <ShapeIcon kind="asset" shape="line" size={20} />
            Line
          </li>
        )}
        {isVisible.polygon && (
          <>
            <li>
              <ShapeIcon kind="asset" shape="polygon" size={20} />
              Polygon
            </li>
            <li>
              <ShapeIcon kind="incident" shape="polygon" size={20} />
              Polygon of an incident
            </li>
          </>
        )}
      </LegendGroup>
      {!(isVisible.point || isVisible.line || isVisible.polygon) && <p>No features on the map</p>}
    </>
  )
}
