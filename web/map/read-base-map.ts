import { namedFlavor, layers as protomapsLayers } from '@protomaps/basemaps'
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import * as engine from 'maplibre-gl'
import { PMTiles, Protocol, TileType } from 'pmtiles'
import { getStyle } from '#web/api/base-maps.api.ts'
import type { ReadBaseMap } from './base-maps.ts'
import { plainLayers } from './plain-base-map.ts'

// Base maps other than raster tiles: loaded only if the operator has set one.

export type BaseMapStyle = {
  sources: { id: string; source: SourceSpecification }[]
  layers: LayerSpecification[]
  sprite: string | null
}

const protocol = new Protocol({ metadata: true })
engine.addProtocol('pmtiles', protocol.tile)

export function readBaseMap(baseMap: ReadBaseMap, signal: AbortSignal): Promise<BaseMapStyle> {
  return baseMap.address.format === 'style' ? readStyle(baseMap, signal) : readFile(baseMap)
}

async function readFile({ id, address, isDark }: ReadBaseMap): Promise<BaseMapStyle> {
  const { href } = new URL(address.url, window.location.href)
  const file = new PMTiles(href)
  protocol.add(file)
  const [{ tileType }, metadata] = await Promise.all([file.getHeader(), file.getMetadata()])
  const url = `pmtiles://${href}`
  if (tileType !== TileType.Mvt)
    return {
      sources: [{ id, source: { type: 'raster', url, tileSize: 256 } }],
      layers: [{ id, type: 'raster', source: id }],
      sprite: null,
    }
  const layers = layersOf(vectorLayersOf(metadata), id, isDark)
  return {
    sources: [{ id, source: { type: 'vector', url } }],
    layers: layers.map((layer) => ({ ...layer, id: `${id}-${layer.id}` })),
    sprite: null,
  }
}

function vectorLayersOf(metadata: unknown): string[] {
  const { vector_layers: layers } = (metadata ?? {}) as { vector_layers?: unknown }
  if (!Array.isArray(layers)) return []
  return layers.flatMap((layer: { id?: unknown } | null) => (typeof layer?.id === 'string' ? [layer.id] : []))
}

const requiredLayers = ['earth', 'water', 'roads', 'places']

/** Omitted, so that the pins of the map stand out. */
const iconLayers = /^(pois|roads_oneway|roads_shields)$/

function layersOf(vectorLayers: readonly string[], source: string, isDark: boolean): LayerSpecification[] {
  if (!requiredLayers.every((layer) => vectorLayers.includes(layer)))
    return plainLayers(vectorLayers, source, isDark)
  const flavor = namedFlavor(isDark ? 'dark' : 'light')
  return protomapsLayers(source, flavor, { lang: 'en' })
    .map((layer) => withoutIcon(layer as LayerSpecification))
    .filter((layer) => !iconLayers.test(layer.id) && isOnTiles(layer, vectorLayers))
}

/** Files need not have all layers of the scheme. */
const isOnTiles = (layer: LayerSpecification, vectorLayers: readonly string[]) =>
  !('source-layer' in layer) || vectorLayers.includes(String(layer['source-layer']))

function withoutIcon(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== 'symbol') return layer
  const { 'icon-image': _icon, ...layout } = layer.layout ?? {}
  return { ...layer, layout }
}

/** Ignores the fonts of the style: all names use the device's fonts. */
async function readStyle({ id, address: { url } }: ReadBaseMap, signal: AbortSignal): Promise<BaseMapStyle> {
  const style = (await getStyle(url, signal)) as Partial<StyleSpecification> | null
  if (style?.version !== 8 || typeof style.sources !== 'object' || !Array.isArray(style.layers))
    throw new Error(`There is no MapLibre style at ${url}.`)
  const nameOf = (name: string) => `${id}-${name}`
  const sources = Object.keys(style.sources)
  const isDrawable = (layer: LayerSpecification) =>
    layer.type === 'background' || ('source' in layer && sources.includes(String(layer.source)))
  return {
    sources: Object.entries(style.sources).map(([name, source]) => ({
      id: nameOf(name),
      source: withFullAddresses(source, url),
    })),
    layers: style.layers.filter(isDrawable).map(
      (layer) =>
        ({
          ...layer,
          id: nameOf(layer.id),
          ...('source' in layer ? { source: nameOf(String(layer.source)) } : {}),
        }) as LayerSpecification,
    ),
    sprite: addressOfSprite(style.sprite, url),
  }
}

/** Addresses in a style may be relative to it. */
function withFullAddresses(source: SourceSpecification, base: string): SourceSpecification {
  const full = (text: unknown) => (typeof text === 'string' ? fullAddress(text, base) : text)
  return {
    ...source,
    ...('url' in source ? { url: full(source.url) } : {}),
    ...('tiles' in source && Array.isArray(source.tiles) ? { tiles: source.tiles.map(full) } : {}),
    ...('data' in source ? { data: full(source.data) } : {}),
  } as SourceSpecification
}

function addressOfSprite(sprite: StyleSpecification['sprite'], base: string): string | null {
  const address = Array.isArray(sprite) ? sprite[0]?.url : sprite
  return typeof address === 'string' ? fullAddress(address, base) : null
}

const fullAddress = (address: string, base: string) =>
  URL.canParse(address, base) ? new URL(address, base).href.replace(/%7B(\w+)%7D/g, '{$1}') : address
