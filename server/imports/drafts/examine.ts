import { basename } from 'node:path'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { FoundInFiles, ImportSettings } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database, Extent, ReadDatabase } from '../../database/database.ts'
import { readOwnFields } from '../../features/own-fields.queries.ts'
import { readNewestConfiguration } from '../../map-configuration/map-configuration.queries.ts'
import { readLand } from '../../thinning/read-land.queries.ts'
import { openGdal } from '../conversion/gdal.ts'
import {
  type FoundLayer,
  type FoundLayers,
  findLayers,
  type UnreadLayer,
} from '../conversion/readable-file.ts'
import { chunksOfFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { findRecipe, type Recipe } from '../import-recipes.queries.ts'
import { layoutOf, readStart } from '../layout/decide-layout.ts'
import { detectLayout, rowsExamined } from '../layout/detect-layout.ts'
import { namedProjections } from '../layout/named-projections.ts'
import { type Fields, fieldsOfKind, updatablePaths } from '../mapping/fields.ts'
import { defineProjection, findProjection } from '../projections/find-projection.ts'
import {
  nameOfProjection,
  noticesOfProjection,
  openProjection,
  type ProjectionDefinition,
} from '../projections/projection.ts'
import { suggestProjections } from '../projections/suggest-projections.ts'
import { explainEmpty } from '../reading/explain-empty.ts'
import { areSwapped, isInDegrees } from '../reading/orders.ts'
import { columnsOfRows } from './columns-of-rows.ts'
import { fitFound } from './fit-found.ts'
import { SampleOfRows } from './sample-of-rows.ts'
import type { StepOrder } from './step-process.ts'
import { bringFiles, resultPath, workingFolder } from './working-folder.ts'

type Means = { database: Database; store: BlobStore }

/** What is in the files of a draft, as far as what has been said of them goes. */
export async function layersOfFiles(order: StepOrder, store: BlobStore): Promise<FoundLayers> {
  const { dataDirectory } = order.location
  const files = await bringFiles(store, dataDirectory, order)
  const paths = files.map(({ path }) => path)
  return findLayers(paths, workingFolder(dataDirectory, order), order.settings, order.limits)
}

/** What the coordinates of the chosen file are in, where somebody has said it and they are not converted already. */
export async function projectionOf(
  { settings: { projection } }: StepOrder,
  { isConverted }: UnreadLayer,
): Promise<ProjectionDefinition | undefined> {
  if (projection === null || isConverted) return undefined
  return findProjection(await openGdal(), projection)
}

/** `asSaid` is what was found without a recipe. */
type Examined = { found: FoundInFiles; asSaid: FoundInFiles; settings: ImportSettings }

/**
 * Looks at the files; where nobody has said anything of them and a recipe holds for them, as it has them. A recipe may say what
 * the coordinates are, so it is looked again.
 */
export async function examineWithRecipe(order: StepOrder, means: Means): Promise<Examined> {
  const { mapId } = order
  const { read } = means.database
  const asSaid = fitFound(await examine(order, means))
  const settings = withoutIdleProjection(order.settings, asSaid)
  const isUnsaid = settings.takesRecipe && settings.kind === null && asSaid.columns.length > 0
  const recipe = isUnsaid ? await findRecipe(read, { mapId, settings, found: asSaid }) : undefined
  if (!recipe) return { found: asSaid, asSaid, settings }
  const taken = applyRecipe(recipe, { settings, found: asSaid, ownFields: await readOwnFields(read, mapId) })
  const found = fitFound(await examine({ ...order, settings: taken }, means))
  const { isEdition, importedAt } = recipe
  const { source } = recipe.settings
  const told = { source, importedAt: new Date(importedAt).toISOString(), isEdition }
  return { found: { ...found, recipe: told }, asSaid, settings: withoutIdleProjection(taken, found) }
}

/** One that was said before, of a table that says it itself or is in degrees. */
function withoutIdleProjection(settings: ImportSettings, { layers, layer }: FoundInFiles): ImportSettings {
  const isNeeded = layer === null || layers.some(({ id, needsProjection }) => id === layer && needsProjection)
  return isNeeded ? settings : { ...settings, projection: null }
}

type Taking = { settings: ImportSettings; found: FoundInFiles; ownFields: OwnFields }

/**
 * Of other files only what it says of their columns holds: what their rows change is decided by their source. What it says of
 * columns that these do not have, or of fields that are gone, means nothing any more.
 */
function applyRecipe(
  { settings: said, isEdition }: Recipe,
  { settings, found, ownFields }: Taking,
): ImportSettings {
  if (said.kind === null) return settings
  const names = new Set(found.columns.map(({ name }) => name))
  const fields = fieldsOfKind(said.kind, ownFields)
  const paths = updatablePaths(said.kind, ownFields)
  const columns = Object.entries(said.columns).filter(
    ([field, column]) => Object.hasOwn(fields, field) && names.has(column),
  )
  const { kind, type, keptFor, projection, areCoordinatesSwapped } = said
  const ofColumns = {
    kind,
    layout: {
      ...said.layout,
      joined: ofFields(said.layout.joined, fields),
      constants: ofFields(said.layout.constants, fields),
    },
    type,
    keptFor,
    projection,
    areCoordinatesSwapped,
    columns: Object.fromEntries(columns),
    values: ofFields(said.values, fields),
  }
  if (!isEdition) return { ...settings, ...ofColumns }
  const onlyFields = said.onlyFields?.filter((path) => paths.includes(path)) ?? null
  return { ...said, ...ofColumns, onlyFields, layer: settings.layer }
}

/** The settings for fields that still exist. */
const ofFields = <Said>(said: Readonly<Record<string, Said>>, fields: Fields): Record<string, Said> =>
  Object.fromEntries(Object.entries(said).filter(([field]) => Object.hasOwn(fields, field)))

/** Looks at the first rows: which columns there are, and where they lie or may lie. */
async function examine(order: StepOrder, { database, store }: Means): Promise<FoundInFiles> {
  const { layers, chosen } = await layersOfFiles(order, store)
  const nothing = {
    layer: null,
    columns: [],
    layout: null,
    extent: null,
    suggested: [],
    isSwapSuggested: false,
    recipe: null,
  }
  if (!chosen) return { ...nothing, layers }
  const { projection: said, areCoordinatesSwapped: isSwapped } = order.settings
  const land = await landOf(database.read, order.mapId)
  const { isReady, isConverted } = chosen
  const path = await chosen.readFirst(rowsExamined, null)
  const { columns, layout, extent, positions } = await lookAt(order, path)
  const found = { ...nothing, layers, layer: isReady ? chosen.layer.id : null, columns, layout, extent }
  if (isConverted ? !chosen.layer.needsProjection : isInDegrees(positions))
    return { ...found, isSwapSuggested: !isConverted && areSwapped(positions, { isSwapped, land }) }
  const turned = isSwapped ? positions.map(([x, y]): Position => [y, x]) : positions
  const suggested = land ? await suggestProjections(await openGdal(), { positions: turned, land }) : []
  const code = said ?? suggested[0]?.projection
  if (!code) return { ...found, layers: withProjection(layers, chosen) }
  const placed = isConverted
    ? await lookAt(order, await chosen.readFirst(rowsExamined, code))
    : await lookAt(order, path, await findProjection(await openGdal(), code))
  const definition = said === null ? undefined : await defineProjection(await openGdal(), said)
  return { ...found, layers: withProjection(layers, chosen, definition), extent: placed.extent, suggested }
}

/** The chosen one among them does not say its projection; perhaps somebody has. */
function withProjection(
  layers: readonly FoundLayer[],
  { layer: { id } }: UnreadLayer,
  definition?: ProjectionDefinition,
): FoundLayer[] {
  const said = definition && {
    projection: nameOfProjection(definition),
    notices: noticesOfProjection(definition),
  }
  return layers.map((layer) => (layer.id === id ? { ...layer, needsProjection: true, ...said } : layer))
}

/** Reads the first rows, and keeps them to be looked at. */
async function lookAt(order: StepOrder, path: string, projection?: ProjectionDefinition) {
  const { columns, layout: said, areCoordinatesSwapped: isSwapped } = order.settings
  const { records, table, problem } = await readStart(
    { name: basename(path), chunks: chunksOfFile(path) },
    said.headerRow,
  )
  if (problem) throw problem
  if (records.length === 0) throw new ImportError(await explainEmpty(path))
  const found = detectLayout(records, table)
  const { dateColumns: _, pairColumns: __, decimalMarks: ___, ...layout } = found
  const fields = fieldsOfKind('feature')
  const request = { said, columns: new Map(Object.entries(columns)), fields, addressField: undefined }
  const decided = layoutOf(found, request)
  const named = await namedProjections(records, decided.columns.get('wkt'))
  const coordinates = { isSwapped, projection: projection && openProjection(projection), named }
  const sample = new SampleOfRows(decided, coordinates)
  for (const record of records) sample.add(record)
  sample.write(resultPath(order.location.dataDirectory, 'sample', order))
  const rows = records.map(({ properties }) => properties)
  return { columns: columnsOfRows(rows), layout, extent: sample.extent, positions: sample.positions }
}

/** Around where a map without bounds begins, in degrees. */
const aroundStart = 0.5

/** Where the land of the map is: by what is on it, or else by what a manager has said. */
async function landOf(read: ReadDatabase, mapId: string): Promise<Extent | undefined> {
  const land = await readLand(read, mapId)
  if (land) return land
  const { isApplied, configuration } = await readNewestConfiguration(read, mapId)
  if (!isApplied) return undefined
  if (configuration.mapBounds) return configuration.mapBounds
  const { lat, lng } = configuration.center
  const [west, east] = [lng - aroundStart, lng + aroundStart]
  return { west, east, south: lat - aroundStart, north: lat + aroundStart }
}
