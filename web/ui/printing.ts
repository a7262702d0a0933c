import { flushSync } from 'react-dom'
import { createStore } from './external-store.ts'

const printing = createStore(false)

/** True from just before the browser lays out the paper: everything rendered for it is on the page at once. */
export const useIsPrinting = printing.use

/** Paper is white, also for users of the dark theme. */
export function watchPrinting() {
  const { dataset } = document.documentElement
  let scheme: string | undefined
  window.addEventListener('beforeprint', () => {
    scheme = dataset.mantineColorScheme
    flushSync(() => printing.set(true))
    dataset.mantineColorScheme = 'light'
  })
  window.addEventListener('afterprint', () => {
    dataset.mantineColorScheme = scheme
    flushSync(() => printing.set(false))
  })
}
