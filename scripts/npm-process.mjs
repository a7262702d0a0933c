import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const isUnderNpm = Boolean(process.env.npm_lifecycle_event) && process.platform !== 'win32'

/** At the start: it cannot be found after npm has ended. */
const npm = isUnderNpm ? npmProcess() : undefined

/** Calls back after the npm that runs this script has ended, which may happen without a signal. */
export function whenNpmEnds(callBack) {
  if (npm === undefined) return
  const watch = setInterval(() => {
    if (isRunning(npm)) return
    clearInterval(watch)
    callBack()
  }, 100)
  watch.unref()
}

/** Our parent, or its parent if npm started a shell. */
function npmProcess() {
  const parent = process.ppid
  try {
    const { command, parent: grandparent } = describeProcess(parent)
    return /sh$/.test(command) && grandparent > 1 ? grandparent : parent
  } catch {
    return parent
  }
}

function describeProcess(id) {
  if (process.platform === 'linux') {
    const [, command, parent] = /\((.*)\) \S+ (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))
    return { command, parent: Number(parent) }
  }
  const [, parent, command] = /(\d+)\s+(.*)/.exec(
    execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(id)], { encoding: 'utf8' }),
  )
  return { command, parent: Number(parent) }
}

function isRunning(id) {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
