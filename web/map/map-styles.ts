import type { MapStyle } from './map-style.ts'
import { darkShapeStyle, shapeStyle } from './shape-style.ts'
import { darkTypeStyle, typeStyle } from './type-style.ts'

const mapStyles = {
  types: { light: typeStyle, dark: darkTypeStyle },
  shapes: { light: shapeStyle, dark: darkShapeStyle },
}

export function mapStyleOf({
  styleName,
  isDark,
}: {
  styleName: MapStyle['name']
  isDark: boolean
}): MapStyle {
  return mapStyles[styleName][isDark ? 'dark' : 'light']
}
