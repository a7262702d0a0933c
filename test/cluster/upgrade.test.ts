import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isLong } from '#test/random/how-much.ts'
import { projectFolder } from '#test/server/processes.ts'
import { missingPackages } from './cluster.ts'
import { pageCount, startLoadedCluster } from './loaded-cluster.ts'

/** UPGRADE_FROM names another commit. */
const previous = process.env.UPGRADE_FROM ?? 'HEAD~1'
const upgradeMs = 600_000

const git = (...args: string[]) => execFileSync('git', args, { cwd: projectFolder, maxBuffer: 2 ** 30 })

function hasPrevious(): boolean {
  try {
    return git('rev-parse', '--verify', `${previous}^{commit}`).length > 0
  } catch {
    return false
  }
}

describe.runIf(isLong && missingPackages().length === 0 && hasPrevious())('a cluster', () => {
  it(
    'is upgraded from the previous commit without a failed request',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'poa-previous-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      execFileSync('tar', ['-x', '-C', folder], { input: git('archive', previous) })
      symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
      let project = folder
      const loaded = await startLoadedCluster(() => project)
      const { cluster, pages } = loaded
      try {
        const load = loaded.startLoad('upgrade')
        await load.answered()
        const start = Date.now()
        project = projectFolder
        for (const name of ['server1', 'server2', 'server3']) {
          const server = cluster.part(name)
          await server.stop()
          server.start()
          await cluster.whole()
        }
        await pages.connected()
        await load.answered()
        const pauses = load.longestPauses(start)
        await load.stop()
        const { confirmed, mistakes, failures } = load
        const faults = await loaded.findFaults(load, 'upgrade')
        const failed = Object.fromEntries(failures)
        const tookMs = Date.now() - start
        const count = confirmed.features.size + confirmed.clients.size
        console.log(
          JSON.stringify({ upgrade: previous, tookMs, confirmed: count, ...faults, ...pauses, failed }),
        )
        expect(mistakes).toEqual([])
        expect(failed).toEqual({})
        expect(faults).toEqual({ lost: 0, duplicated: 0 })
        const hearing = pages.countHearing('after-upgrade')
        expect((await loaded.addAsset('after-upgrade')).status).toBe(201)
        expect(await hearing).toBe(pageCount)
      } finally {
        await loaded.close()
      }
    },
    upgradeMs,
  )
})
