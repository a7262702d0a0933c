import type { LayerSpecification } from 'maplibre-gl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { FeatureLayers } from './feature-layers.tsx'
import type { MapStyle } from './map-style.ts'

const drawn = vi.hoisted(() => ({ layers: [] as LayerSpecification[] }))
vi.mock('@vis.gl/react-maplibre', () => ({
  Source: ({ children }: { children: React.ReactNode }) => children,
  Layer: (layer: LayerSpecification) => {
    if (layer.layout?.visibility !== 'none') drawn.layers.push(layer)
    return null
  },
}))

const geometries = { point: ['Point'], line: ['LineString', 'Point'], polygon: ['Polygon', 'Point'] } as const
const features = featureKinds.flatMap((kind) =>
  featureShapes.flatMap((shape) =>
    geometries[shape].flatMap((geometry) =>
      [...assetTypes, 'fire'].map((type) => ({ kind, shape, geometry, type, id: 'a' })),
    ),
  ),
)
type Feature = (typeof features)[number]

/** The part of the engine's expressions that the filters use. */
function evaluate(expression: unknown, feature: Feature): unknown {
  if (!Array.isArray(expression)) return expression
  const [operator, ...operands] = expression
  const values = () => operands.map((operand) => evaluate(operand, feature))
  switch (operator) {
    case 'get':
      return feature[operands[0] as keyof Feature]
    case 'geometry-type':
      return feature.geometry
    case 'literal':
      return operands[0]
    case '!':
      return !values()[0]
    case 'all':
      return values().every(Boolean)
    case '==':
      return values()[0] === values()[1]
    case '!=':
      return values()[0] !== values()[1]
    case 'in': {
      const [one, many] = values()
      return (many as unknown[]).includes(one)
    }
    default:
      throw new Error(`The filters use ${operator}, which this test does not know.`)
  }
}

function layersWith({ kind, ...feature }: Feature, layers: readonly LayerSpecification[]) {
  return layers
    .filter((layer) => 'filter' in layer && (layer['source-layer'] ?? '') === kindTraits[kind].collection)
    .filter((layer) => 'filter' in layer && evaluate(layer.filter, { kind, ...feature }))
    .map(({ id }) => id)
}

function layersDrawn(styleName: MapStyle['name'], isVisible: Record<string, boolean>) {
  drawn.layers = []
  const name = { id: 'a', name: 'Ridge Road', location: { lat: 1, lng: 1 } }
  renderToStaticMarkup(
    <FeatureLayers
      tiles="matches"
      rest="all"
      styleName={styleName}
      isVisible={isVisible}
      isDark={false}
      hasGround
      lineNames={[name]}
      parcelNames={[name]}
    />,
  )
  return drawn.layers
}

it.each([
  { styleName: 'types', groups: featureKinds },
  { styleName: 'shapes', groups: featureShapes },
] as const)(
  'draws nothing of a hidden layer: labels, dots, ground, severity ($styleName)',
  ({ styleName, groups }) => {
    const all = Object.fromEntries(groups.map((group: string) => [group, true]))
    const everything = layersDrawn(styleName, all)
    for (const group of groups) {
      const layers = layersDrawn(styleName, { ...all, [group]: false })
      const hidden = features.filter(({ kind, shape }) => group === kind || group === shape)
      expect(hidden.flatMap((feature) => layersWith(feature, everything)).length).toBeGreaterThan(0)
      expect(hidden.flatMap((feature) => layersWith(feature, layers))).toEqual([])
      const without = (id: string) => !layers.some((layer) => layer.id === id)
      if (group === 'incident') expect(layers.some((layer) => layer.id.includes('severity'))).toBe(false)
      expect(without('parcel-names')).toBe(group === 'parcel' || group === 'polygon')
    }
  },
)
