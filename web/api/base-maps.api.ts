const styleWithinMs = 15_000

/** Without credentials. Throws when it takes too long. */
export async function getStyle(address: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, {
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(styleWithinMs)]),
  })
  if (!answer.ok) throw new Error(`${address} returned error ${answer.status}.`)
  return answer.json()
}
