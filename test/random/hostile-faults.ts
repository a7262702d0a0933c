import { z } from 'zod'
import { newFeature } from '#domain/features/feature.schema.ts'
import { featureMergePatch, featureToAdd } from '#domain/features/feature-changes.schema.ts'
import { geometry } from '#domain/geometry/geometry.schema.ts'

// Bodies and queries made from a schema: valid except for one place, which has as many faults as fit.

type Node = {
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: Node[]
  oneOf?: Node[]
  items?: Node | false
  prefixItems?: Node[]
  minItems?: number
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
}

/** Features are validated in full after the body. */
const checkedLater = new Map<z.core.$ZodType, z.ZodType>([
  [featureToAdd, newFeature],
  [featureMergePatch, newFeature],
])

/** The body of routes that read GeoJSON without a schema. */
export const geoJsonFeature = z.object({
  type: z.literal('Feature'),
  geometry,
  properties: z.record(z.string(), z.unknown()),
})

const jsonSchemaOf = (schema: z.ZodType): Node =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      const checked = checkedLater.get(zodSchema)
      if (!checked) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
      Object.assign(jsonSchema, jsonSchemaOf(checked))
    },
  }) as Node

/**
 * Fills each array and record of the schema in turn, up to `maxBytes`. `done` has the faults of earlier schemas: a
 * fault that the same part of another schema rejected is left out.
 */
export function* faultyBodies(
  schema: z.ZodType | undefined,
  maxBytes: number,
  done: Set<string>,
): Generator<string, undefined> {
  if (!schema) return
  const ownDone = new Set<string>()
  for (const { where, node, fillings, wrap } of placesIn(jsonSchemaOf(schema), ''))
    for (const { what, open, close, entry } of fillings) {
      const [places, place] =
        what === goodEntries ? [ownDone, where] : [done, `${where.split('.').at(-1)} ${JSON.stringify(node)}`]
      if (places.has(`${place} ${what}`)) continue
      places.add(`${place} ${what}`)
      const [before = '', after = ''] = JSON.stringify(wrap(marker)).split(JSON.stringify(marker))
      const room = maxBytes - before.length - after.length - 2
      const entries: string[] = []
      for (let bytes = 0; ; ) {
        const next = entry(entries.length)
        bytes += next.length + 1
        if (bytes > room) break
        entries.push(next)
      }
      yield before + open + entries.join(',') + close + after
    }
}

const marker = '\u2020here'
const goodEntries = 'good entries'

type Filling = { what: string; open: string; close: string; entry: (at: number) => string }
/** `wrap` returns a body that is valid except for this place. */
type Place = { where: string; node: Node; fillings: Filling[]; wrap: (value: unknown) => unknown }

function* placesIn(node: Node, where: string): Generator<Place> {
  const variants = node.anyOf ?? node.oneOf
  if (variants) {
    for (const variant of variants) yield* placesIn(variant, where)
    return
  }
  if (node.type === 'array') {
    const item = node.items || node.prefixItems?.[0] || {}
    yield { where, node, fillings: listFillings(item), wrap: (value) => value }
    for (const place of placesIn(item, `${where}[]`))
      yield { ...place, wrap: (value) => [place.wrap(value), ...sampleItems(node).slice(1)] }
    return
  }
  if (node.type !== 'object') return
  yield { where, node, fillings: recordFillings(node), wrap: (value) => value }
  const { additionalProperties: valueNode } = node
  if (typeof valueNode === 'object')
    for (const place of placesIn(valueNode, `${where}.*`))
      yield { ...place, wrap: (value) => ({ ...(sampleOf(node) as object), key: place.wrap(value) }) }
  for (const [key, child] of Object.entries(node.properties ?? {}))
    for (const place of placesIn(child, where ? `${where}.${key}` : key))
      yield { ...place, wrap: (value) => ({ ...(sampleOf(node) as object), [key]: place.wrap(value) }) }
}

const list = (what: string, entry: Filling['entry']): Filling => ({ what, open: '[', close: ']', entry })
const record = (what: string, node: Node, entry: Filling['entry']): Filling => {
  const sample = JSON.stringify(sampleOf(node)).slice(0, -1)
  return { what, open: sample === '{' ? sample : `${sample},`, close: '}', entry }
}

function listFillings(item: Node): Filling[] {
  const sample = JSON.stringify(sampleOf((item.anyOf ?? item.oneOf)?.at(-1) ?? item))
  return [
    list('empty lists', () => '[]'),
    list('empty objects', () => '{}'),
    list(goodEntries, () => sample),
    list('bad entries', () => spoil(sample)),
  ]
}

function recordFillings(node: Node): Filling[] {
  const value = node.additionalProperties
  const sample = JSON.stringify(typeof value === 'object' ? sampleOf(value) : 0)
  return [
    record('unknown keys', node, (at) => `"k${at}":${sample}`),
    record('bad values', node, (at) => `"k${at}":[{}]`),
  ]
}

const spoil = (sample: string) =>
  sample.replace(/:("[^"]*"|-?[\d.]+|true|false|null)/g, ':{}').replace(/(?<=[[,])-?\d+/g, '"x"')

/** A value that fits or almost fits; patterns are those of ids. */
function sampleOf(node: Node): unknown {
  if ('const' in node) return node.const
  if (node.enum) return node.enum[0]
  const [variant] = node.anyOf ?? node.oneOf ?? []
  if (variant) return sampleOf(variant)
  switch (node.type) {
    case 'object': {
      const entries = Object.entries(node.properties ?? {}).map(([key, child]) => [key, sampleOf(child)])
      return Object.fromEntries(entries.filter(([key]) => key !== 'mapId'))
    }
    case 'array':
      return sampleItems(node)
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return sampleTexts[node.format ?? ''] ?? 'a'
  }
}

const sampleItems = (node: Node): unknown[] =>
  node.prefixItems?.map(sampleOf) ??
  Array.from({ length: node.minItems ?? 0 }, () => sampleOf(node.items || {}))

const sampleTexts: Record<string, string> = {
  uuid: '7d1f0000-0000-4000-8000-000000000009',
  'date-time': '2026-05-20T08:30:00Z',
  date: '2026-05-20',
  uri: 'https://example.com',
}

/** Fills each parameter in turn up to the longest address. */
export function faultyQueries(schema: z.ZodType | undefined): string[] {
  const { properties = {} } = schema ? jsonSchemaOf(schema) : {}
  const repeated = (entry: string) => entry.repeat(Math.floor(15_000 / entry.length))
  const words = Array.from({ length: 2_500 }, (_, at) => `k${at}`).join(',')
  return Object.entries(properties).flatMap(([name, node]) => [
    ...[`${sampleOf(node)},`, '1,', '%00,', '('].map((entry) => `${name}=${repeated(entry)}`),
    `${name}=${words}`,
    repeated(`${name}=&`),
  ])
}
