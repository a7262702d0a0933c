import { flushSync } from 'react-dom'
import { formatNumber } from '#domain/values/wording.ts'
import { createStore } from './external-store.ts'

const printing = createStore(false)
const preparing = createStore(false)

/** True from just before the browser lays out the paper: everything rendered for it is on the page at once. */
export const useIsPrinting = printing.use

/** True while the map is drawn in the colors for paper, until it is printed. */
export const useIsPreparingPrint = preparing.use

const maxRowsPrinted = 500

/** Rows to load and mount beyond those in view. */
export function useOverscan(onScreen: number): number {
  const isPrinting = printing.use()
  const isPreparing = preparing.use()
  return isPrinting || isPreparing ? maxRowsPrinted : onScreen
}

/** '20', or 'the first 500 of 1,234'. */
export const printedCount = (shown: number, total: number) =>
  shown < total ? `the first ${formatNumber(shown)} of ${formatNumber(total)}` : formatNumber(total)

const maxPreparationMs = 4_000
const checkEveryMs = 200

let screenScheme: string | undefined

/** Paper is white, also for users of the dark theme. Unlike the browser's own menu, it waits for the map. */
export async function printPage() {
  if (preparing.get()) return
  whiten()
  preparing.set(true)
  const latest = performance.now() + maxPreparationMs
  do await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
  while (document.querySelector('[data-map-state=busy], [aria-busy=true]') && performance.now() < latest)
  window.print()
  // Some browsers print nothing, and never tell of an end.
  window.addEventListener('pointerdown', end, { once: true })
}

function end() {
  // Browsers may tell of one printing more than once.
  if (screenScheme !== undefined) document.documentElement.dataset.mantineColorScheme = screenScheme
  screenScheme = undefined
  flushSync(() => {
    printing.set(false)
    preparing.set(false)
  })
}

function whiten() {
  const { dataset } = document.documentElement
  screenScheme ??= dataset.mantineColorScheme
  dataset.mantineColorScheme = 'light'
}

export function watchPrinting() {
  window.addEventListener('beforeprint', () => {
    flushSync(() => printing.set(true))
    whiten()
  })
  window.addEventListener('afterprint', end)
  window.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey)) return
    if (event.shiftKey || event.altKey || event.defaultPrevented) return
    event.preventDefault()
    void printPage()
  })
}
