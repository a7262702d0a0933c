import { createHash } from 'node:crypto'

type Line = string | Uint8Array

/** SHA-256 of the content, to compare databases by, and of the whole file, to notice any change of it. */
export class BackupHash {
  private readonly content = createHash('sha256')
  private readonly file = createHash('sha256')

  add(line: Line, { isContent }: { isContent: boolean }) {
    this.file.update(line).update('\n')
    if (isContent) this.content.update(line).update('\n')
  }

  /** Call it once. */
  finish() {
    return { contentHash: this.content.digest('hex'), fileHash: this.file.digest('hex') }
  }
}
