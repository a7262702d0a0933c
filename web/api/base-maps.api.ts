const styleWithinMs = 15_000

/** A style from wherever the operator said; it is told nothing of the reader. Throws where none comes in time. */
export async function getStyle(address: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, {
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(styleWithinMs)]),
  })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`)
  return answer.json()
}
