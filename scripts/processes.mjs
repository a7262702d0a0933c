import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { whenNpmEnds } from './npm-process.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A terminal and npm both pass on Ctrl+C: a repetition within this time is the same key press. */
const sameSignalMs = 1_000

/** Ends Node when the script that started it is killed. */
const stopWithParent = new URL('stop-with-parent.mjs', import.meta.url).href

/** A smaller young generation (`--max-semi-space-size`) saves 40 MB when idle, but lists are 15 % slower. */
export const serverProgram = ['server/main.ts']

const running = new Set()
let isPassingSignalsOn = false
let wasStopped = false

export const isStopping = () => wasStopped

/**
 * Runs a program and resolves with its exit code. Passes all signals on to it. Inherits our output unless `onOutput`
 * receives it, or `onErrors` stderr.
 */
export function run([command, ...args], { onOutput, onErrors = onOutput, withChannel = false, ...options }) {
  passSignalsOn()
  const child = spawn(command, args, {
    stdio: [
      'inherit',
      onOutput ? 'pipe' : 'inherit',
      onErrors ? 'pipe' : 'inherit',
      ...(withChannel ? ['ipc'] : []),
    ],
    // In a process group of its own it gets each signal once, not from the terminal as well.
    detached: process.platform !== 'win32',
    ...options,
  })
  running.add(child)
  child.stdout?.setEncoding('utf8').on('data', onOutput)
  child.stderr?.setEncoding('utf8').on('data', onErrors)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      resolve(1)
    })
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** The process ends with this script. */
export function runOnNode(node, args, options) {
  return run([node, '--import', stopWithParent, ...args], { ...options, withChannel: true })
}

export function stopAll(signal = 'SIGTERM') {
  wasStopped = true
  for (const child of running) child.kill(signal)
}

function passSignalsOn() {
  if (isPassingSignalsOn) return
  isPassingSignalsOn = true
  let last = { signal: '', at: 0 }
  const pass = (signal) => {
    const isRepetition = signal === last.signal && Date.now() - last.at < sameSignalMs
    if (isRepetition) return
    last = { signal, at: Date.now() }
    stopAll(signal)
  }
  for (const signal of signals) process.on(signal, () => pass(signal))
  whenNpmEnds(() => pass('SIGTERM'))
}
