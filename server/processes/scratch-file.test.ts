import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeOldScratch, scratchName } from './scratch-file.ts'

it('removes temporary files of killed processes and those older than a day, and no other files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'poa-upkeep-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const now = Date.now()
  const [old, recent] = [scratchName('old', 1), scratchName('new', 1)]
  const names = [old, recent, 'poa-backup']
  for (const name of names) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'projections.sqlite'), 'x')
    const hours = name === recent ? 23 : 25
    const at = new Date(now - hours * 3_600_000)
    utimesSync(join(folder, name), at, at)
  }
  await removeOldScratch([folder, folder], now)
  expect(readdirSync(folder)).toEqual(['poa-backup', recent])
})

it('removes leftovers of ended processes on this machine, and of earlier ones with our id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'poa-upkeep-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { pid: gone } = spawnSync('true')
  const [leftover, before, ours] = [scratchName('gone', gone), scratchName('before'), scratchName('ours')]
  const foreign = `poa-scratch-00000000-${gone}-export`
  for (const name of [leftover, before, ours, foreign]) mkdirSync(join(folder, name))
  const beforeUs = new Date(Date.now() - process.uptime() * 1_000 - 60_000)
  utimesSync(join(folder, before), beforeUs, beforeUs)
  await removeOldScratch([folder], Date.now())
  expect(readdirSync(folder).toSorted()).toEqual([foreign, ours].toSorted())
})
