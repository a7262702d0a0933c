import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { whenNpmEnds } from './npm-process.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A terminal and npm both pass on Ctrl+C: what arrives again this soon is the same key press. */
const sameSignalMs = 1_000

/** Loaded into Node, ends it when the script that started it is killed outright. */
const stopWithParent = new URL('stop-with-parent.mjs', import.meta.url).href

const running = new Set()
let isPassingSignalsOn = false
let wasStopped = false

/** Whether somebody asked this script to stop. */
export const isStopping = () => wasStopped

/**
 * Runs a program to its end and resolves with its exit code. Every signal that we get goes on to it, so that
 * it is never left behind. What it writes goes where ours goes, unless `onOutput` gets it, or `onErrors` what
 * goes to stderr.
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
    // In a group of its own it gets each signal once: from here, not from the terminal as well.
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

/** Runs a file on the given Node, never longer than this script lives. */
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
