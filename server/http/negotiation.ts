// What a client says about the answer that it would like (RFC 9110).

/** Whether `Accept-Encoding` takes gzip: named, or meant by `*`, and not with a weight of 0. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [coding = '', weight] = part.split(';').map((piece) => piece.trim())
    weights.set(coding, weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

/** Whether `If-None-Match` names the ETag; strong and weak ones are compared alike. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
