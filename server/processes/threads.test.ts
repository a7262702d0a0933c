import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startThreads } from './threads.ts'

function startTestThreads(count: number, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-threads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const obstacle = join(folder, 'obstacle')
  const source = `
    import { existsSync } from 'node:fs'
    import { threadId } from 'node:worker_threads'
    import { runTasks } from ${JSON.stringify(new URL('./threads.ts', import.meta.url).href)}
    if (existsSync(${JSON.stringify(obstacle)}))
      throw Object.assign(new Error('The database is locked.'), { code: 'SQLITE_BUSY' })
    runTasks(1, (task) => {
      if (task === 'exit') process.exit(1)
      while (task === 'spin') {}
      if (task === 'fail') throw Object.assign(new Error('The disk is full.'), { code: 'SQLITE_FULL' })
      return threadId
    })`
  const file = join(folder, 'some.worker.mjs')
  writeFileSync(file, source)
  const threads = startThreads<string, number>(new URL(`file://${file}`), count, options)
  onTestFinished(() => threads.close())
  return { threads, obstacle }
}

it('an error keeps its message and its code when it leaves a thread', async () => {
  const { threads } = startTestThreads(1)
  await expect(threads.run('fail')).rejects.toMatchObject({
    message: 'The disk is full.',
    code: 'SQLITE_FULL',
  })
})

it('tasks go to the thread with the fewest', async () => {
  const { threads } = startTestThreads(2)
  const [first, second] = await Promise.all([threads.run('who'), threads.run('who')])
  expect(first).not.toBe(second)
})

it('a thread that dies fails its tasks, and is replaced', async () => {
  const { threads } = startTestThreads(1)
  const before = await threads.run('who')
  const runs = ['exit', 'who', 'who'].map((task) => threads.run(task))
  for (const { status } of await Promise.allSettled(runs)) expect(status).toBe('rejected')
  expect(await threads.run('who')).not.toBe(before)
})

it('while no thread can start, each task fails at once with the reason; then tasks run again', async () => {
  const { threads, obstacle } = startTestThreads(1)
  await threads.run('who')
  writeFileSync(obstacle, '')
  await expect(threads.run('exit')).rejects.toThrow('a thread stopped')
  for (let runs = 0; runs < 3; runs++)
    await expect(threads.run('who')).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  rmSync(obstacle)
  expect(await threads.run('who')).toBeGreaterThan(0)
})

it('a thread that cannot start is restarted only for a task', async () => {
  const { threads, obstacle } = startTestThreads(1)
  await threads.run('who')
  writeFileSync(obstacle, '')
  await expect(threads.run('exit')).rejects.toThrow('a thread stopped')
  await expect(threads.run('who')).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
  const numbers: number[] = []
  for (let others = 0; others < 4; others++) numbers.push(await startTestThreads(1).threads.run('who'))
  const [first = 0] = numbers
  expect(numbers).toEqual([first, first + 1, first + 2, first + 3])
})

async function threadOnClock(timeLimitMs: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { threads } = startTestThreads(1, { timeLimitMs })
  return { threads, first: await threads.run('who') }
}

const tooLong = { status: 'rejected', reason: expect.objectContaining({ reason: 'too long' }) }

it('a thread that exceeds its time limit is replaced, and its other tasks run again', async () => {
  const { threads, first } = await threadOnClock(60_000)
  const answers = Promise.allSettled(['spin', 'who', 'who'].map((task) => threads.run(task)))
  vi.advanceTimersByTime(60_000)
  const next = { status: 'fulfilled', value: expect.any(Number) }
  expect(await answers).toEqual([tooLong, next, next])
  expect(await threads.run('who')).not.toBe(first)
})

it('a task whose second thread exceeds the limit fails', async () => {
  const { threads } = await threadOnClock(60_000)
  const answers = Promise.allSettled(['spin', 'spin', 'who'].map((task) => threads.run(task)))
  vi.advanceTimersByTime(60_000)
  vi.advanceTimersByTime(60_000)
  expect(await answers).toEqual([tooLong, tooLong, tooLong])
  expect(await threads.run('who')).toEqual(expect.any(Number))
})

it('an answer in time cancels the time limit', async () => {
  const { threads, first } = await threadOnClock(60_000)
  vi.advanceTimersByTime(60_000)
  expect(await threads.run('who')).toBe(first)
})

it('a task for closed threads fails', async () => {
  const { threads } = startTestThreads(1)
  await threads.close()
  await expect(threads.run('who')).rejects.toThrow('the threads are closed')
})
