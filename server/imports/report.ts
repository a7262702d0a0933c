import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ReportedRow } from './import-options.ts'

const header = 'row,line,id,outcome,reason\n'
const bufferedCharacters = 65_536

/**
 * The file beside the input that says which rows were refused or repaired, and why; in the current folder
 * where that folder cannot be written. It gets its name only when the import is done.
 */
export class Report {
  readonly path: string
  private readonly unfinishedPath: string
  private readonly file: number
  private pending = header
  private rows = 0

  constructor(inputPath: string) {
    const beside = resolve(`${inputPath}.report.csv`)
    const here = join(process.cwd(), `${basename(inputPath)}.report.csv`)
    const opened = open(beside) ?? open(here)
    if (!opened) throw new Error(`Neither ${beside} nor ${here} can be written.`)
    ;({ path: this.path, unfinishedPath: this.unfinishedPath, file: this.file } = opened)
  }

  add({ rowNumber, line, sourceId, outcome, reason }: ReportedRow) {
    this.rows++
    this.pending += `${[rowNumber, line ?? '', sourceId ?? '', outcome, reason].map(cell).join(',')}\n`
    if (this.pending.length > bufferedCharacters) this.flush()
  }

  /** Returns where the report is; null where there was nothing to report, and so there is none any more. */
  finish(): string | null {
    this.flush()
    closeSync(this.file)
    if (this.rows > 0) renameSync(this.unfinishedPath, this.path)
    else for (const path of [this.unfinishedPath, this.path]) rmSync(path, { force: true })
    return this.rows > 0 ? this.path : null
  }

  /** Leaves an older report as it was. */
  discard() {
    closeSync(this.file)
    rmSync(this.unfinishedPath, { force: true })
  }

  private flush() {
    writeSync(this.file, this.pending)
    this.pending = ''
  }
}

function open(path: string) {
  const unfinishedPath = `${path}.part`
  try {
    return { path, unfinishedPath, file: openSync(unfinishedPath, 'w') }
  } catch {
    return undefined
  }
}

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
