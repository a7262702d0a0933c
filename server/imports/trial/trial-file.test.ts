import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { refusedFile } from '../drafts/import-trial.routes.ts'
import { readTrialRows } from './read-trial.ts'
import { TrialFile } from './trial-file.ts'

function refuse(rows: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'trial')
  const trial = new TrialFile(path)
  for (const [index, cell] of rows.entries())
    trial.addReported({
      rowNumber: index + 1,
      outcome: 'refused',
      reason: 'its latitude is no number',
      columns: JSON.stringify([['name', cell]]),
    })
  trial.finish()
  return path
}

it('lets other work run while it writes many refused rows', async () => {
  const file = refusedFile(refuse(Array(50_000).fill('Pond')), 'problem')
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  let lines = 0
  for await (const piece of file?.pieces ?? []) lines += piece.split('\n').length - 1
  isOver = true
  expect(lines).toBe(50_001)
  expect(turns).toBeGreaterThan(2)
})

it('reads rows of a preview in pages of limited size', () => {
  const path = refuse(Array(60).fill('x'.repeat(1_000_000)))
  const seen: number[] = []
  for (let after = 0; ; ) {
    const page = readTrialRows(path, { outcome: undefined, after, limit: 500 })
    expect(page?.items.length).toBeLessThan(4)
    seen.push(...(page?.items.map(({ rowNumber }) => rowNumber) ?? []))
    if (!page?.next) break
    after = page.next
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})
