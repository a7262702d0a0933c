import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { childOptions, runInChild } from './processes.ts'
import { runInThread } from './threads.ts'

const processes = JSON.stringify(new URL('./processes.ts', import.meta.url).href)
const watching = () => new AbortController().signal

function childThat(work: string, options = '{}') {
  return fileOf(`
    import { answerOrder } from ${processes}
    answerOrder(async (order, onProgress) => { ${work} }, ${options})`)
}

function fileOf(source: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'poa-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'child.mjs')
  writeFileSync(file, source)
  return pathToFileURL(file)
}

function startedByNpm() {
  const module = new URL('../../scripts/stop-with-parent.mjs', import.meta.url).href
  const { execArgv } = process
  process.execArgv = [...execArgv, '--import', module]
  process.env.OIDC_CLIENT_SECRET = 'a secret'
  process.env.NODE_OPTIONS = `--import ${module}`
  onTestFinished(() => {
    process.execArgv = execArgv
    delete process.env.OIDC_CLIENT_SECRET
    delete process.env.NODE_OPTIONS
  })
}

const readStart = `({ execArgv: process.execArgv, names: Object.keys(process.env).sort() })`

it('runs an order without the `--import` flags and secrets of the server', async () => {
  startedByNpm()
  const outcome = await runInChild(childThat(`return ${readStart}`), {}, { signal: watching() })
  expect(outcome).toEqual({ answer: { execArgv: [], names: Object.keys(childOptions().env).sort() } })
})

it('starts a thread without the flags and secrets of the server', async () => {
  startedByNpm()
  const file = fileOf(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage(${readStart})`)
  expect(await runInThread(file, null)).toEqual({
    execArgv: [],
    names: Object.keys(childOptions().env).sort(),
  })
})

it.each([
  ['exit code 0', 'process.exit(0)', { ended: 'exited', code: 0 }],
  ['exit code 1', 'process.exit(1)', { ended: 'exited', code: 1 }],
  ['a signal', "process.kill(process.pid, 'SIGKILL')", { ended: 'killed', signal: 'SIGKILL' }],
])('reports %s without an answer', async (_, work, ending) => {
  expect(await runInChild(childThat(work), {}, { signal: watching() })).toEqual(ending)
})

it('reports a child that exits before it reads its order', async () => {
  const outcome = await runInChild(fileOf('process.exit(0)'), {}, { signal: watching() })
  expect(outcome).toHaveProperty('ended')
})

const forever = 'for (;;);'

it('ends a child that makes no progress', async () => {
  const child = childThat(`onProgress(1); ${forever}`)
  expect(await runInChild(child, {}, { signal: watching(), silentMs: 300 })).toEqual({ ended: 'silent' })
})

it('ends a child that takes too long, whatever progress it reports', async () => {
  const child = childThat('setInterval(() => onProgress(1), 20); await new Promise(() => {})')
  const limits = { signal: watching(), silentMs: 60_000, totalMs: 800 }
  expect(await runInChild(child, {}, limits)).toEqual({ ended: 'too long' })
})

it('ends a child that writes too many bytes into a folder, even while it blocks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'poa-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const child = childThat(`
    const { appendFileSync, mkdirSync } = await import('node:fs')
    mkdirSync(order.folder + '/below')
    for (;;) appendFileSync(order.folder + '/below/file', Buffer.alloc(2 ** 16))`)
  const limits = { signal: watching(), folderLimits: [{ folder, maxBytes: 2 ** 22 }] }
  expect(await runInChild(child, { folder }, limits)).toEqual({ ended: 'too many bytes', folder })
})

it('ends a child that takes too much memory, even while it blocks', async () => {
  const child = childThat(
    'const taken = []; for (;;) taken.push(Buffer.alloc(2 ** 24, 1))',
    `{ memoryLimitBytes: ${300 * 1024 ** 2} }`,
  )
  expect(await runInChild(child, {}, { signal: watching() })).toEqual({ ended: 'killed', signal: 'SIGKILL' })
})

it('ends the child and rejects with the reason when aborted', async () => {
  const leaving = new AbortController()
  const child = childThat(`onProgress(process.pid); ${forever}`)
  let pid = 0
  const onProgress = (childPid: number) => {
    pid = childPid
    leaving.abort(new Error('canceled'))
  }
  await expect(
    runInChild<object, never, number>(child, {}, { signal: leaving.signal, onProgress }),
  ).rejects.toThrow('canceled')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
