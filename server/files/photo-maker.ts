import type { ChildProcess } from 'node:child_process'
import { RefusedError } from '../domain-error.ts'
import { startChild } from '../processes/processes.ts'
import type { Taken } from './read-exif.ts'

export type MadePhoto = Taken & { large: Uint8Array; small: Uint8Array; width: number; height: number }
export type PhotoAnswer = { made: MadePhoto } | { refused: string }

export type PhotoMaker = {
  make(bytes: Uint8Array): Promise<MadePhoto>
  close(): void
}

const usualLimitMs = 15_000
const usualWorker = new URL('./photo.worker.ts', import.meta.url)
/** How long an idle process waits for the next photo: it takes a hundred megabytes. */
const idleMs = 60_000

/** Starts processes on demand; callers limit the concurrency. */
export function startPhotoMaker(timeLimitMs = usualLimitMs, worker = usualWorker): PhotoMaker {
  const all: OnePhotoMaker[] = []
  const idle: OnePhotoMaker[] = []
  function start(): OnePhotoMaker {
    const started = startOne(timeLimitMs, worker)
    all.push(started)
    return started
  }
  return {
    async make(bytes) {
      const one = idle.pop() ?? start()
      const answer = await one.make(bytes).finally(() => idle.push(one))
      if ('made' in answer) return answer.made
      throw new RefusedError('file', answer.refused)
    },
    close() {
      for (const one of all) one.close()
    },
  }
}

type OnePhotoMaker = { make(bytes: Uint8Array): Promise<PhotoAnswer>; close(): void }

/**
 * Makes one photo at a time in a child process. A decoder that hangs or exhausts memory is killed with it,
 * and the server continues; a thread cannot be terminated while it runs a C library.
 */
function startOne(timeLimitMs: number, worker: URL): OnePhotoMaker {
  let child: ChildProcess | undefined
  let settle: ((answer: PhotoAnswer) => void) | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const started = startChild(worker)
    const fail = (_: unknown, signal?: NodeJS.Signals | null) => {
      if (child !== started) return
      child = undefined
      const refused =
        signal === 'SIGKILL'
          ? 'takes too much memory to read: save it as a JPEG, or smaller'
          : 'could not be read: the program that reads photos stopped unexpectedly'
      settle?.({ refused })
    }
    started.on('message', (answer: PhotoAnswer) => settle?.(answer))
    started.on('exit', fail)
    started.on('error', fail)
    return started
  }

  function end() {
    child?.kill('SIGKILL')
    child = undefined
  }

  function ask(bytes: Uint8Array): Promise<PhotoAnswer> {
    clearTimeout(idle)
    const current = child ?? start()
    child = current
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        end()
        settle?.({ refused: `takes longer than ${timeLimitMs / 1000} seconds to read` })
      }, timeLimitMs)
      settle = (answer) => {
        settle = undefined
        clearTimeout(timer)
        idle = setTimeout(end, idleMs).unref()
        // An idle process must not keep the server running.
        current.unref()
        current.channel?.unref()
        resolve(answer)
      }
      current.ref()
      current.channel?.ref()
      current.send(bytes)
    })
  }

  return { make: ask, close: end }
}
