import { isAbsolute, join, normalize, sep } from 'node:path'
import { z } from 'zod'
import type { BaseMapAddress, TileService } from '#domain/opening/opening.schema.ts'

const esri = 'https://server.arcgisonline.com/ArcGIS/rest/services'
const osmCredit = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors'

const isWebAddress = (url: string) => /^https?:\/\//.test(url) && URL.canParse(url)
const isFileName = (name: string) =>
  /\.pmtiles$/i.test(name) && !/^[a-z]+:/i.test(name) && !isAbsolute(name) && !isOutside(normalize(name))
const isOutside = (path: string) => path === '..' || path.startsWith(`..${sep}`)

const isTileAddress = (url: string) => /\{z\}.*\{[xy]\}.*\{[xy]\}/.test(url)
const isBaseMap = (text: string) =>
  isFileName(text) || (isWebAddress(text) && (isTileAddress(text) || !/[{}]/.test(text)))

const forms =
  'an http(s) address with {z}, {x} and {y}, the http(s) address of a MapLibre style or of a .pmtiles file, or the name of a ' +
  '.pmtiles file in DATA_DIR'
const orOff = z.string().refine((text) => text === 'off' || isBaseMap(text), `must be ${forms}, or off`)
const optional = z.string().refine(isBaseMap, `must be ${forms}`).optional()
const zoom = (fallback: number) => z.coerce.number().int().min(0).default(fallback)

export const baseMapSettings = {
  BASE_MAP_STREET_URL: orOff.default('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  BASE_MAP_STREET_DARK_URL: optional,
  BASE_MAP_STREET_ATTRIBUTION: z.string().default(osmCredit),
  BASE_MAP_STREET_MAX_ZOOM: zoom(19),
  BASE_MAP_SATELLITE_URL: orOff.default(`${esri}/World_Imagery/MapServer/tile/{z}/{y}/{x}`),
  BASE_MAP_SATELLITE_DARK_URL: optional,
  BASE_MAP_SATELLITE_ATTRIBUTION: z.string().default('Imagery © Esri, Maxar, Earthstar Geographics'),
  BASE_MAP_SATELLITE_MAX_ZOOM: zoom(19),
  BASE_MAP_TERRAIN_URL: orOff.default('https://a.tile.opentopomap.org/{z}/{x}/{y}.png'),
  BASE_MAP_TERRAIN_DARK_URL: optional,
  BASE_MAP_TERRAIN_ATTRIBUTION: z
    .string()
    .default(`${osmCredit}, SRTM | © <a href="https://opentopomap.org">OpenTopoMap</a> (CC-BY-SA)`),
  BASE_MAP_TERRAIN_MAX_ZOOM: zoom(17),
  BASE_MAP_LABELS_URL: orOff.default(
    `${esri}/Reference/World_Boundaries_and_Places/MapServer/tile/{z}/{y}/{x}`,
  ),
  BASE_MAP_LABELS_DARK_URL: optional,
  BASE_MAP_LABELS_ATTRIBUTION: z.string().default('Labels © Esri'),
  BASE_MAP_LABELS_MAX_ZOOM: zoom(19),
  BASE_MAP_HOSTS: z
    .string()
    .refine(
      (text) => originsOf(text).every((origin) => origin !== null),
      'must be http(s) addresses without a path, separated by commas, such as https://tiles.example.org',
    )
    .optional(),
}
type Settings = z.infer<z.ZodObject<typeof baseMapSettings>>

function originsOf(text = ''): (string | null)[] {
  const addresses = text.split(',').map((part) => part.trim())
  return addresses
    .filter((address) => address !== '')
    .map((address) =>
      isWebAddress(address) && new URL(address).href === `${new URL(address).origin}/`
        ? new URL(address).origin
        : null,
    )
}

const services = ['street', 'satellite', 'terrain', 'labels'] as const
type ServiceName = (typeof services)[number]

export type BaseMapFiles = Readonly<Record<string, { setting: string; path: string }>>

export function baseMapsOf(settings: Settings, dataDirectory: string) {
  const files: Record<string, { setting: string; path: string }> = {}
  const addressOf = (setting: string, text: string, name: string): BaseMapAddress => {
    if (!isWebAddress(text)) {
      files[`${name}.pmtiles`] = { setting, path: join(dataDirectory, text) }
      return { format: 'pmtiles', url: `/base-maps/${name}.pmtiles` }
    }
    if (isTileAddress(text)) return { format: 'raster', url: text }
    return { format: /\.pmtiles$/i.test(new URL(text).pathname) ? 'pmtiles' : 'style', url: text }
  }
  const serviceOf = (name: ServiceName): TileService => {
    const prefix = `BASE_MAP_${name.toUpperCase() as Uppercase<ServiceName>}` as const
    const [url, dark] = [settings[`${prefix}_URL`], settings[`${prefix}_DARK_URL`]]
    return {
      light: url === 'off' ? null : addressOf(`${prefix}_URL`, url, name),
      dark:
        dark === undefined || url === 'off' ? null : addressOf(`${prefix}_DARK_URL`, dark, `${name}-dark`),
      attribution: settings[`${prefix}_ATTRIBUTION`],
      maxZoom: settings[`${prefix}_MAX_ZOOM`],
    }
  }
  const tileServices = {
    street: serviceOf('street'),
    satellite: serviceOf('satellite'),
    terrain: serviceOf('terrain'),
    labels: serviceOf('labels'),
  }
  return {
    tileServices,
    baseMapFiles: files as BaseMapFiles,
    baseMapOrigins: [
      ...new Set([
        ...Object.values(tileServices)
          .flatMap(({ light, dark }) => [light, dark])
          .flatMap((address) => (address && isWebAddress(address.url) ? [new URL(address.url).origin] : [])),
        ...originsOf(settings.BASE_MAP_HOSTS).filter((origin) => origin !== null),
      ]),
    ],
  }
}
