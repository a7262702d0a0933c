import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

type Operation = {
  summary?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: object
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
type OpenApi = {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** Every operation, and what it is answered with where all is well. */
const operations: Record<string, Record<string, number>> = {
  '/health/live': { get: 200 },
  '/health/ready': { get: 200 },
  '/api/settings': { get: 200 },
  '/api/session': { get: 200, delete: 200 },
  '/api/clients': { get: 200, post: 201 },
  '/api/clients/{mapId}': { get: 200, patch: 200 },
  '/api/clients/{mapId}/archive': { post: 200 },
  '/api/clients/{mapId}/restore': { post: 200 },
  '/api/clients/{mapId}/thumbnail': { get: 200 },
  '/api/maps/{mapId}': { get: 200 },
  '/api/maps/{mapId}/configuration': { get: 200, put: 200, delete: 200 },
  '/api/maps/{mapId}/configuration/versions': { get: 200 },
  '/api/maps/{mapId}/configuration/restore': { post: 200 },
  '/api/maps/{mapId}/counts': { get: 200 },
  '/api/maps/{mapId}/features': { get: 200 },
  '/api/maps/{mapId}/features/{id}': { get: 200 },
  '/api/maps/{mapId}/features/{id}/position': { get: 200 },
  '/api/maps/{mapId}/features/{id}/status': { put: 200 },
  '/api/maps/{mapId}/metadata-names': { get: 200 },
  '/api/maps/{mapId}/drawings': { get: 200, post: 201, delete: 200 },
  '/api/maps/{mapId}/drawings/{id}': { put: 200, delete: 204 },
  '/api/maps/{mapId}/activity': { get: 200 },
  '/api/maps/{mapId}/activity/read': { put: 204 },
  '/api/maps/{mapId}/tiles.json': { get: 200 },
  '/api/maps/{mapId}/tiles/{z}/{x}/{y}.mvt': { get: 200 },
  '/api/events': { get: 200 },
}

/** Operations that must be told which version they change. */
const changesOfVersions = [
  'put /api/maps/{mapId}/configuration',
  'delete /api/maps/{mapId}/configuration',
  'post /api/maps/{mapId}/configuration/restore',
  'put /api/maps/{mapId}/features/{id}/status',
  'put /api/maps/{mapId}/drawings/{id}',
  'delete /api/maps/{mapId}/drawings/{id}',
  'patch /api/clients/{mapId}',
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
    const found = Object.entries(openApi.paths).map(([address, of]) => [address, Object.keys(of).toSorted()])
    const known = Object.entries(operations).map(([address, of]) => [address, Object.keys(of).toSorted()])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known))
  })

  it('describes each operation: what for, its parameters, its answers', () => {
    const tags = openApi.tags.map(({ name }) => name)
    for (const { address, method, operation } of all()) {
      const { summary, tags: own = [], parameters = [], responses, requestBody } = operation
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
        expect(['path', 'query', 'header']).toContain(parameter.in)
        expect(parameter.schema, parameter.name).toBeTypeOf('object')
        if (parameter.in === 'path') expect(parameter.required).toBe(true)
      }
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
      expect(successes, `${method} ${address}`).toEqual([String(operations[address]?.[method])])
      expect(responses[successes[0] ?? '']?.description, address).toBeTypeOf('string')
      const hasBody = !['get', 'delete'].includes(method) && !/(archive|\{mapId\}\/restore)$/.test(address)
      expect(requestBody !== undefined, `${method} ${address}`).toBe(hasBody)
    }
  })

  it('tells which changes have to say what they saw', () => {
    const withIfMatch = all().filter(({ operation }) =>
      operation.parameters?.some((parameter) => parameter.in === 'header' && parameter.name === 'if-match'),
    )
    expect(withIfMatch.map(({ method, address }) => `${method} ${address}`).toSorted()).toEqual(
      changesOfVersions.toSorted(),
    )
  })

  it('tells what a wrong request is answered with', () => {
    for (const { operation } of all()) {
      const { content = {} } = operation.responses.default ?? {}
      expect(Object.keys(content)).toEqual(['application/problem+json'])
      expect(content['application/problem+json']?.schema).toMatchObject({
        type: 'object',
        required: ['type', 'title', 'status'],
      })
    }
  })

  function all() {
    return Object.entries(openApi.paths).flatMap(([address, of]) =>
      Object.entries(of).map(([method, operation]) => ({ address, method, operation })),
    )
  }

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
