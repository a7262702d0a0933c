import { randomUUID } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { csvCell } from '#domain/exports/csv-cell.ts'
import type { ReportedRow } from '../reported-row.ts'

const header = 'row,line,id,outcome,reason\n'
const bufferedCharacters = 65_536

export type FinishedReport = {
  /** Null where there was nothing to report (an older report is then removed), and where writing it failed. */
  path: string | null
  /** Why it could not be written. */
  failure?: string
}

/**
 * The file beside the input that says which rows were refused or repaired, and why; in the current folder
 * where that folder cannot be written. It gets its name only when the import is done. The import does not depend on
 * it: nothing here throws, `finish` says what failed.
 */
export class Report {
  private readonly path: string
  private readonly unfinishedPath: string
  private file: number | undefined
  private pending = header
  private rows = 0
  private failure: string | undefined

  constructor(inputPath: string) {
    const beside = resolve(`${inputPath}.report.csv`)
    const opened = open(beside) ?? open(join(process.cwd(), `${basename(inputPath)}.report.csv`))
    this.path = opened?.path ?? beside
    this.unfinishedPath = opened?.unfinishedPath ?? ''
    this.file = opened?.file
    if (!opened) this.failure = `neither ${dirname(beside)} nor ${process.cwd()} can be written to`
  }

  add({ rowNumber, line, sourceId, outcome, reason }: ReportedRow) {
    this.rows++
    if (this.file === undefined) return
    this.pending += `${[rowNumber, line ?? '', sourceId ?? '', outcome, reason].map(csvCell).join(',')}\n`
    if (this.pending.length > bufferedCharacters) this.attempt((file) => this.flush(file))
  }

  finish(): FinishedReport {
    const { path, unfinishedPath, rows } = this
    this.attempt((file) => {
      if (rows > 0) this.flush(file)
      this.close()
      if (rows > 0) renameSync(unfinishedPath, path)
      else for (const old of [unfinishedPath, path]) rmSync(old, { force: true })
    })
    return this.failure === undefined
      ? { path: rows > 0 ? path : null }
      : { path: null, failure: this.failure }
  }

  /** Leaves an older report as it was. */
  discard() {
    this.attempt(() => {
      this.close()
      rmSync(this.unfinishedPath, { force: true })
    })
  }

  /** After the first failure nothing more is written. */
  private attempt(work: (file: number) => void) {
    if (this.file === undefined) return
    try {
      work(this.file)
    } catch (error) {
      this.failure = (error as Error).message
      this.tidyUp()
    }
  }

  private tidyUp() {
    try {
      this.close()
      rmSync(this.unfinishedPath, { force: true })
    } catch {
      // On a disk that takes nothing any more there is nothing more to do.
    }
  }

  private close() {
    const { file } = this
    this.file = undefined
    if (file !== undefined) closeSync(file)
  }

  private flush(file: number) {
    writeSync(file, this.pending)
    this.pending = ''
  }
}

/** Rows may contain personal data. */
const ownerOnly = 0o600

/** Two imports of one file may run at once: each has an unfinished report of its own. */
function open(path: string) {
  const unfinishedPath = `${path}.${randomUUID().slice(0, 8)}.partial`
  try {
    return { path, unfinishedPath, file: openSync(unfinishedPath, 'wx', ownerOnly) }
  } catch {
    return undefined
  }
}
