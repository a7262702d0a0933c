// The only caller of fetch.

/** An answer that is not what was asked for; `status` 0 means that no answer came. */
export class RequestError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Parameters = Record<string, string | number | undefined>

export function addressWith(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Asks and parses; throws a RequestError with words that can be shown to the person who waits. */
export async function getJson<Answer>(
  path: string,
  parameters?: Parameters,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(addressWith(path, parameters), {
    headers: { accept: 'application/json' },
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new RequestError(0, 'The server cannot be reached.')
  })
  if (!response.ok) throw new RequestError(response.status, await explain(response))
  return (await response.json()) as Answer
}

async function explain(response: Response): Promise<string> {
  try {
    const { detail, title } = (await response.json()) as { detail?: string; title?: string }
    return detail ?? title ?? `The server answered ${response.status}.`
  } catch {
    return `The server answered ${response.status}.`
  }
}
