import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeOldScratch, scratchName } from './scratch-file.ts'

it('removes what killed processes left, after a day, and nothing that somebody else has put there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'poa-upkeep-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const now = Date.now()
  const names = [scratchName('old'), scratchName('new'), 'poa-backup']
  for (const name of names) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'projections.sqlite'), 'x')
    const hours = name === scratchName('new') ? 23 : 25
    const at = new Date(now - hours * 3_600_000)
    utimesSync(join(folder, name), at, at)
  }
  await removeOldScratch([folder, folder], now)
  expect(readdirSync(folder)).toEqual(['poa-backup', scratchName('new')])
})
