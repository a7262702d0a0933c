import { LegendFrame } from './legend-frame.tsx'
import { ShapeIcon } from './shape-icon.tsx'

/** Signs of the viewer's shapes; those that are switched off are left out. */
export function ShapeLegend({ isVisible }: { isVisible: Readonly<Record<string, boolean>> }) {
  return (
    <LegendFrame>
      <ul aria-label="Shapes">
        {isVisible.point && (
          <li>
            <ShapeIcon kind="asset" shape="point" size={18} />
            Point
          </li>
        )}
        {isVisible.line && (
          <li>
            <ShapeIcon kind="asset" shape="line" size={18} />
            Line
          </li>
        )}
        {isVisible.polygon && (
          <>
            <li>
              <ShapeIcon kind="asset" shape="polygon" size={18} />
              Polygon
            </li>
            <li>
              <ShapeIcon kind="incident" shape="polygon" size={18} />
              Polygon of an incident
            </li>
          </>
        )}
      </ul>
      {!(isVisible.point || isVisible.line || isVisible.polygon) && <p>Nothing is on the map.</p>}
    </LegendFrame>
  )
}
