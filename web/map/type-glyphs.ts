import alert from '@tabler/icons/outline/alert-triangle.svg?raw'
import antenna from '@tabler/icons/outline/antenna.svg?raw'
import football from '@tabler/icons/outline/ball-football.svg?raw'
import bolt from '@tabler/icons/outline/bolt.svg?raw'
import building from '@tabler/icons/outline/building.svg?raw'
import droplet from '@tabler/icons/outline/droplet.svg?raw'
import flame from '@tabler/icons/outline/flame.svg?raw'
import home from '@tabler/icons/outline/home.svg?raw'
import line from '@tabler/icons/outline/line.svg?raw'
import mapPin from '@tabler/icons/outline/map-pin.svg?raw'
import point from '@tabler/icons/outline/point.svg?raw'
import polygon from '@tabler/icons/outline/polygon.svg?raw'
import ripple from '@tabler/icons/outline/ripple.svg?raw'
import road from '@tabler/icons/outline/road.svg?raw'
import tree from '@tabler/icons/outline/tree.svg?raw'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'

// One glyph for each type, the same in pins, lists and legend. 24 x 24, drawn with strokes.

const glyphOfType: Record<FeatureType, string> = {
  fire: flame,
  flood: ripple,
  fallen_tree: tree,
  other: alert,
  water: droplet,
  electrical: bolt,
  road,
  residence: home,
  facility: building,
  recreation: football,
  communication: antenna,
}

const glyphOfKind: Record<FeatureKind, string> = { incident: alert, asset: mapPin, parcel: polygon }

export function glyphPaths(kind: FeatureKind, type: FeatureType | null): string {
  const svg = type === null ? glyphOfKind[kind] : glyphOfType[type]
  return pathsOf(svg)
}

const glyphOfShape: Record<FeatureShape, string> = { point, line, polygon }

/** Points show their type. */
export const shapeGlyphPaths = (shape: FeatureShape, kind: FeatureKind, type: FeatureType | null): string =>
  shape === 'point' ? glyphPaths(kind, type) : pathsOf(glyphOfShape[shape])

export const groupGlyphPaths = (group: FeatureKind | FeatureShape): string =>
  pathsOf({ ...glyphOfKind, ...glyphOfShape }[group])

function pathsOf(svg: string): string {
  return svg.replace(/^[\s\S]*?<svg[\s\S]*?>/, '').replace(/<\/svg>\s*$/, '')
}
