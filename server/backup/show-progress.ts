const lineEveryMs = 2_000

export const rowsOf = (count: number) => `${count.toLocaleString('en-US')} rows`

export const filesOf = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'file' : 'files'}`

export type ShowProgress = (what: string, rows: number) => void

/** A line when each part of the work begins, and now and then while it goes on. */
export function progressLines(say: (line: string) => void): ShowProgress {
  let lastWhat = ''
  let lastLine = 0
  return (what, rows) => {
    if (what === lastWhat && Date.now() - lastLine < lineEveryMs) return
    lastWhat = what
    lastLine = Date.now()
    say(`${what}: ${rowsOf(rows)}`)
  }
}
