import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningProcess, startProcess } from '#test/server/processes.ts'

// All scripts pass signals and exit codes on, and leave no process behind.

const program = `
  const alive = setInterval(() => {}, 1000)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      console.log('stopped by', signal)
      if (signal === 'SIGINT' && process.argv.includes('--patient')) return
      clearInterval(alive)
      process.exitCode = 7
    })
  console.log('running as', process.pid, 'with', process.argv.slice(2).join(' '))
`

let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'poa-run-'))
  file = join(folder, 'program.ts')
  writeFileSync(file, program)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** As npm runs it: below npm and a shell. */
const asNpm = (command: string) =>
  startProcess('sh', ['-c', `sh -c '${command}; exit $?'; exit $?`], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })

async function pidOf(script: RunningProcess): Promise<number> {
  return Number((await script.waitFor(/running as (\d+)/))[1])
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('scripts/run.mjs', () => {
  it('passes arguments on', async () => {
    await using script = startProcess('node', ['scripts/run.mjs', file, '--map', 'a b'])
    expect((await script.waitFor(/with (.*)/))[1]).toBe('--map a b')
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s and the exit code on', async (signal) => {
    await using script = startProcess('node', ['scripts/run.mjs', file])
    const pid = await pidOf(script)
    script.kill(signal)
    expect(await script.exited).toBe(7)
    expect(script.output()).toContain(`stopped by ${signal}`)
    expect(isAlive(pid)).toBe(false)
  })

  it('treats the two interrupts of one Ctrl+C as one', async () => {
    await using script = startProcess('node', ['scripts/run.mjs', file, '--patient'])
    await pidOf(script)
    // Immediately, as a terminal and npm send them: later it would be a second Ctrl+C.
    script.kill('SIGINT')
    script.kill('SIGINT')
    await script.waitFor(/stopped by SIGINT/)
    script.kill('SIGTERM')
    await script.exited
    expect(script.output().match(/stopped by \w+/g)).toEqual(['stopped by SIGINT', 'stopped by SIGTERM'])
  })

  it('leaves no process running when it is killed', async () => {
    await using script = startProcess('node', ['scripts/run.mjs', file])
    await pidOf(script)
    script.kill('SIGKILL')
    await script.waitFor(/stopped by SIGTERM/)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('stops when npm ends by %s', async (signal) => {
    await using npm = asNpm(`node scripts/run.mjs ${file}`)
    await pidOf(npm)
    npm.kill(signal)
    await npm.waitFor(/stopped by SIGTERM/)
  })
})
