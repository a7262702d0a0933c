import { randomUUID } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { csvCell } from '#domain/exports/csv-cell.ts'
import type { ReportedRow } from '../import-watch.ts'

const header = 'row,line,id,outcome,reason\n'
const bufferedCharacters = 65_536

/**
 * The report of refused and repaired rows beside the input, or in the current folder if that cannot be written. It gets
 * its name when the import is done. Nothing here throws: `finish` returns the failure.
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

  finish(): { path: string | null; failure?: string } {
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

  discard() {
    this.attempt(() => {
      this.close()
      rmSync(this.unfinishedPath, { force: true })
    })
  }

  private attempt(work: (file: number) => void) {
    if (this.file === undefined) return
    try {
      work(this.file)
    } catch (error) {
      this.failure = (error as Error).message
      try {
        this.close()
        rmSync(this.unfinishedPath, { force: true })
      } catch {
        // The disk is full or read-only.
      }
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

/** Rows can contain personal data. */
const ownerOnly = 0o600

/** Two imports of one file can run at once: each has its own unfinished report. */
function open(path: string) {
  const unfinishedPath = `${path}.${randomUUID().slice(0, 8)}.partial`
  try {
    return { path, unfinishedPath, file: openSync(unfinishedPath, 'wx', ownerOnly) }
  } catch {
    return undefined
  }
}
