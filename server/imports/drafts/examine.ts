import { basename } from 'node:path'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { FoundInFiles, ImportSettings } from '#domain/imports/import-draft.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database, Extent, ReadDatabase } from '../../database/database.ts'
import { readCustomFields } from '../../features/custom-fields/custom-fields.queries.ts'
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
import { layoutOf, namedProjections, readStart } from '../layout/decide-layout.ts'
import { detectLayout, rowsExamined } from '../layout/detect-layout.ts'
import { type Fields, fieldsOfKind, updatablePaths } from '../mapping/fields.ts'
import {
  defineProjection,
  findProjection,
  nameOfProjection,
  noticesOfProjection,
  openProjection,
  type ProjectionDefinition,
} from '../projections/find-projection.ts'
import { suggestProjections } from '../projections/suggest-projections.ts'
import { explainEmpty } from '../reading/explain-empty.ts'
import { areSwapped, isInDegrees } from '../reading/orders.ts'
import { findRecipe, type Recipe } from './import-recipes.queries.ts'
import { columnsOfRows, SampleOfRows } from './sample-of-rows.ts'
import type { StepOrder } from './step-process.ts'
import { resultPath, workingFolder, writeFiles } from './working-folder.ts'

type Tools = { database: Database; store: BlobStore }

export async function layersOfFiles(order: StepOrder, store: BlobStore): Promise<FoundLayers> {
  const { dataDirectory } = order.location
  const files = await writeFiles(store, dataDirectory, order)
  const paths = files.map(({ path }) => path)
  return findLayers(paths, workingFolder(dataDirectory, order), order.settings, order.limits)
}

export async function projectionOf(
  { settings: { projection } }: StepOrder,
  { isConverted }: UnreadLayer,
): Promise<ProjectionDefinition | undefined> {
  if (projection === null || isConverted) return undefined
  return findProjection(await openGdal(), projection)
}

type Examined = { found: FoundInFiles; withoutRecipe: FoundInFiles; settings: ImportSettings }

/** If nothing is chosen yet and a recipe matches, applies it and examines the files again. */
export async function examineWithRecipe(order: StepOrder, tools: Tools): Promise<Examined> {
  const { mapId } = order
  const { read } = tools.database
  const withoutRecipe = fitFound(await examine(order, tools))
  const settings = withoutUnusedProjection(order.settings, withoutRecipe)
  const mayTakeRecipe = settings.takesRecipe && settings.kind === null && withoutRecipe.columns.length > 0
  const recipe = mayTakeRecipe ? await findRecipe(read, { mapId, settings, found: withoutRecipe }) : undefined
  if (!recipe) return { found: withoutRecipe, withoutRecipe, settings }
  const customFields = await readCustomFields(read, mapId)
  const applied = applyRecipe(recipe, { settings, found: withoutRecipe, customFields })
  const found = fitFound(await examine({ ...order, settings: applied }, tools))
  const { isEdition, importedAt } = recipe
  const { source } = recipe.settings
  const recipeOrigin = { source, importedAt: new Date(importedAt).toISOString(), isEdition }
  return {
    found: { ...found, recipe: recipeOrigin },
    withoutRecipe,
    settings: withoutUnusedProjection(applied, found),
  }
}

function withoutUnusedProjection(settings: ImportSettings, { layers, layer }: FoundInFiles): ImportSettings {
  const isNeeded = layer === null || layers.some(({ id, needsProjection }) => id === layer && needsProjection)
  return isNeeded ? settings : { ...settings, projection: null }
}

/**
 * Applies settings to columns and fields that exist. Only a new edition of the same files also takes its source and its
 * rules for rows.
 */
function applyRecipe(
  { settings: recipe, isEdition }: Recipe,
  {
    settings,
    found,
    customFields,
  }: { settings: ImportSettings; found: FoundInFiles; customFields: CustomFields },
): ImportSettings {
  if (recipe.kind === null) return settings
  const names = new Set(found.columns.map(({ name }) => name))
  const fields = fieldsOfKind(recipe.kind, customFields)
  const paths = updatablePaths(recipe.kind, customFields)
  const columns = Object.entries(recipe.columns).filter(
    ([field, column]) => Object.hasOwn(fields, field) && names.has(column),
  )
  const { kind, type, keptFor, projection, areCoordinatesSwapped } = recipe
  const forColumns = {
    kind,
    layout: {
      ...recipe.layout,
      joined: onlyFieldsOf(recipe.layout.joined, fields),
      constants: onlyFieldsOf(recipe.layout.constants, fields),
    },
    type,
    keptFor,
    projection,
    areCoordinatesSwapped,
    columns: Object.fromEntries(columns),
    values: onlyFieldsOf(recipe.values, fields),
  }
  if (!isEdition) return { ...settings, ...forColumns }
  const onlyFields = recipe.onlyFields?.filter((path) => paths.includes(path)) ?? null
  return { ...recipe, ...forColumns, onlyFields, layer: settings.layer }
}

const onlyFieldsOf = <Setting>(
  settings: Readonly<Record<string, Setting>>,
  fields: Fields,
): Record<string, Setting> =>
  Object.fromEntries(Object.entries(settings).filter(([field]) => Object.hasOwn(fields, field)))

async function examine(order: StepOrder, { database, store }: Tools): Promise<FoundInFiles> {
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
  const { projection: chosenCode, areCoordinatesSwapped: isSwapped } = order.settings
  const land = await landOf(database.read, order.mapId)
  const { isReady, isConverted } = chosen
  const path = await chosen.readFirst(rowsExamined, null)
  const { columns, layout, extent, positions } = await readSample(order, path)
  const found = { ...nothing, layers, layer: isReady ? chosen.layer.id : null, columns, layout, extent }
  if (isConverted ? !chosen.layer.needsProjection : isInDegrees(positions))
    return { ...found, isSwapSuggested: !isConverted && areSwapped(positions, { isSwapped, land }) }
  const turned = isSwapped ? positions.map(([x, y]): Position => [y, x]) : positions
  const suggested = land ? await suggestProjections(await openGdal(), { positions: turned, land }) : []
  const code = chosenCode ?? suggested[0]?.projection
  if (!code) return { ...found, layers: withProjection(layers, chosen) }
  const placed = isConverted
    ? await readSample(order, await chosen.readFirst(rowsExamined, code))
    : await readSample(order, path, await findProjection(await openGdal(), code))
  const definition = chosenCode === null ? undefined : await defineProjection(await openGdal(), chosenCode)
  return { ...found, layers: withProjection(layers, chosen, definition), extent: placed.extent, suggested }
}

function withProjection(
  layers: readonly FoundLayer[],
  { layer: { id } }: UnreadLayer,
  definition?: ProjectionDefinition,
): FoundLayer[] {
  const chosen = definition && {
    projection: nameOfProjection(definition),
    notices: noticesOfProjection(definition),
  }
  return layers.map((layer) => (layer.id === id ? { ...layer, needsProjection: true, ...chosen } : layer))
}

async function readSample(order: StepOrder, path: string, projection?: ProjectionDefinition) {
  const { columns, layout: chosen, areCoordinatesSwapped: isSwapped } = order.settings
  const { records, table, problem } = await readStart(
    { name: basename(path), chunks: chunksOfFile(path) },
    chosen.headerRow,
  )
  if (problem) throw problem
  if (records.length === 0) throw new ImportError(await explainEmpty(path))
  const found = detectLayout(records, table)
  const { dateColumns: _, pairColumns: __, decimalMarks: ___, ...layout } = found
  const fields = fieldsOfKind('feature')
  const request = {
    overrides: chosen,
    columns: new Map(Object.entries(columns)),
    fields,
    addressField: undefined,
  }
  const decided = layoutOf(found, request)
  const named = await namedProjections(records, decided.columns.get('wkt'))
  const coordinates = { isSwapped, projection: projection && openProjection(projection), named }
  const sample = new SampleOfRows(decided, coordinates)
  for (const record of records) sample.add(record)
  sample.write(resultPath(order.location.dataDirectory, 'sample', order))
  const rows = records.map(({ properties }) => properties)
  return { columns: columnsOfRows(rows), layout, extent: sample.extent, positions: sample.positions }
}

const aroundStart = 0.5

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

const maxCharacters = 2 ** 20

/**
 * Leaves out the values of the last columns if there are too many. Throws if the names of the layers alone are too
 * many.
 */
export function fitFound(found: FoundInFiles): FoundInFiles {
  const bare = found.columns.map(({ name }) => ({ name, examples: [], values: null }))
  const room = maxCharacters - JSON.stringify({ ...found, columns: bare }).length
  if (room < 0)
    throw new ImportError(
      `The file has too many layers (${formatNumber(found.layers.length)}). Save the layer that you need as a separate file.`,
    )
  const fitting = firstThatFit(found.columns, room).length
  return { ...found, columns: [...found.columns.slice(0, fitting), ...bare.slice(fitting)] }
}

export function firstThatFit<Item>(items: readonly Item[], maxCharacters: number): Item[] {
  let room = maxCharacters
  const end = items.findIndex((item) => {
    room -= JSON.stringify(item).length
    return room < 0
  })
  return items.slice(0, end === -1 ? items.length : end)
}
