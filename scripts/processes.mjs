import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { whenNpmEnds } from './npm-process.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A terminal and npm both pass on Ctrl+C: what arrives again this soon is the same key press. */
const sameSignalMs = 500

/**
 * Starts programs and stays until the first of them ends, then ends the others. Passes on every signal, so
 * that none is left behind on its port. Resolves with the exit code of the first to end.
 */
export function runTogether(commands, options) {
  const children = commands.map(([command, ...args]) =>
    spawn(command, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      // In a group of its own a child gets each signal once: from here, not from the terminal as well.
      detached: process.platform !== 'win32',
      ...options,
    }),
  )
  const stop = (signal) => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  }
  passOnSignals(stop)
  return new Promise((resolve) => {
    let exitCode
    let running = children.length
    for (const child of children) {
      const ended = (code) => {
        exitCode ??= code
        running -= 1
        if (running === 0) resolve(exitCode)
        else stop('SIGTERM')
      }
      child.once('error', (error) => {
        process.stderr.write(`${child.spawnfile}: ${error.message}\n`)
        ended(1)
      })
      child.once('exit', (code, signal) => ended(code ?? 128 + (constants.signals[signal] ?? 0)))
    }
  })
}

export const run = (command, options) => runTogether([command], options)

function passOnSignals(stop) {
  let last = { signal: '', at: 0 }
  const pass = (signal) => {
    const isRepetition = signal === last.signal && Date.now() - last.at < sameSignalMs
    if (isRepetition) return
    last = { signal, at: Date.now() }
    stop(signal)
  }
  for (const signal of signals) process.on(signal, () => pass(signal))
  whenNpmEnds(() => pass('SIGTERM'))
}

/** Arguments for Node that make a program end when the script that started it is killed outright. */
export const stoppingWithParent = ['--import', new URL('stop-with-parent.mjs', import.meta.url).href]
