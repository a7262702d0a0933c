import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

type Operation = {
  summary?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
type OpenApi = {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** Each with its address. */
function operationsOf({ paths }: OpenApi): [address: string, Operation][] {
  return Object.entries(paths).flatMap(([address, operations]) =>
    Object.values(operations).map((operation): [string, Operation] => [address, operation]),
  )
}

const addresses = [
  '/health/live',
  '/health/ready',
  '/api/settings',
  '/api/clients',
  '/api/session',
  '/api/clients/{mapId}',
  '/api/clients/{mapId}/thumbnail',
  '/api/maps/{mapId}',
  '/api/maps/{mapId}/configuration',
  '/api/maps/{mapId}/features',
  '/api/maps/{mapId}/features/{id}',
  '/api/maps/{mapId}/tiles.json',
  '/api/maps/{mapId}/tiles/{z}/{x}/{y}.mvt',
  '/api/events',
]

onEachEngine('the documentation', (createDatabase) => {
  let app: TestApp
  let openApi: OpenApi
  beforeAll(async () => {
    app = await startTestApp(await createDatabase())
    openApi = await app.getJson('/api/openapi.json')
  })
  afterAll(() => app.close())

  it('is OpenAPI 3.1 and names every route', () => {
    expect(openApi.openapi).toMatch(/^3\.1\.\d$/)
    expect(openApi.info).toMatchObject({ title: 'POA Land Management', version: expect.any(String) })
    expect(Object.keys(openApi.paths).toSorted()).toEqual(addresses.toSorted())
  })

  it('describes each operation: what for, its parameters, its answers', () => {
    const tags = openApi.tags.map(({ name }) => name)
    for (const [address, { summary, tags: own = [], parameters = [], responses }] of operationsOf(openApi)) {
      expect(summary, address).toMatch(/\w/)
      expect(own, address).toHaveLength(1)
      expect(tags).toContain(own[0])
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const placeholders = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(
        inPath.map(({ name }) => name),
        address,
      ).toEqual(placeholders)
      for (const parameter of parameters) {
        expect(['path', 'query']).toContain(parameter.in)
        expect(parameter.schema, parameter.name).toBeTypeOf('object')
        if (parameter.in === 'path') expect(parameter.required).toBe(true)
      }
      expect(responses['200']?.description, address).toBeTypeOf('string')
    }
  })

  it('tells what a wrong request is answered with', () => {
    for (const [, { responses }] of operationsOf(openApi)) {
      const { content = {} } = responses.default ?? {}
      expect(Object.keys(content)).toEqual(['application/problem+json'])
      expect(content['application/problem+json']?.schema).toMatchObject({
        type: 'object',
        required: ['type', 'title', 'status'],
      })
    }
  })

  it('uses no word that OpenAPI 3.1 does not know, and refers to nothing that is not there', () => {
    const text = JSON.stringify(openApi)
    expect(text).not.toContain('"nullable":')
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], openApi)
      expect(target, reference).toBeDefined()
    }
  })

  it('can be read in a browser, under its own policy', async () => {
    const page = await app.get('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const answer = await app.get(new URL(file, 'http://localhost/api/docs/').pathname)
      expect(answer.statusCode, file).toBe(200)
      expect(answer.rawPayload.length, file).toBeGreaterThan(0)
    }
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/script-src[^;]*'self'/)
    expect(page.body).not.toMatch(/<script(?![^>]*src=)/)
    const outward = await app.get('/api/docs')
    expect([200, 302]).toContain(outward.statusCode)
  })
})
