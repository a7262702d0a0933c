import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeXml } from '#domain/values/xml.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { type Problem, problemContentType } from '../http/problem.ts'

export const formats = ['json', 'xml'] as const
type Format = (typeof formats)[number]

const contentTypes = { json: 'application/json; charset=utf-8', xml: 'text/xml; charset=utf-8' }

/** The elements of lists. JSON has bare arrays, without these names (the Spark convention). */
const itemNames = {
  services: 'service',
  service_requests: 'request',
  attributes: 'attribute',
  endpoints: 'endpoint',
  formats: 'format',
  errors: 'error',
} as const
export type RootName = keyof typeof itemNames | 'discovery' | 'service_definition'

export type Content = string | number | boolean | null | readonly Content[] | { [name: string]: Content }

/** XML 1.0 without namespaces. Null is an empty element. */
export const writeXml = (root: RootName, content: Content): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${element(root, content)}\n`

function element(name: string, content: Content): string {
  const inner = innerXml(name, content)
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`
}

function innerXml(name: string, content: Content): string {
  if (content === null) return ''
  if (typeof content !== 'object') return escapeXml(String(content))
  const children: [string, Content][] = Array.isArray(content)
    ? content.map((item) => [itemNames[name as keyof typeof itemNames], item])
    : Object.entries(content)
  return children.map(([child, value]) => element(child, value)).join('')
}

const formatOf = ({ params }: FastifyRequest): Format =>
  (params as { format?: string }).format === 'xml' ? 'xml' : 'json'

const write = (format: Format, root: RootName, content: Content) =>
  format === 'xml' ? writeXml(root, content) : JSON.stringify(content)

export function sendContent(request: FastifyRequest, reply: FastifyReply, root: RootName, content: Content) {
  const format = formatOf(request)
  forOnePerson(reply)
  // Bytes, because Fastify would write a text as JSON.
  return reply.header('content-type', contentTypes[format]).send(Buffer.from(write(format, root, content)))
}

/** Writes any problem, also of the hooks of all routes, as the list of errors that the standard demands. */
export async function sendProblemAsErrors(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (reply.getHeader('content-type') !== problemContentType) return payload
  const { status, title, detail } = JSON.parse(String(payload)) as Problem
  const format = formatOf(request)
  reply.header('content-type', contentTypes[format])
  return write(format, 'errors', [{ code: status, description: detail ?? title }])
}
