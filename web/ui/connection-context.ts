import { createContext } from 'react'

export const ConnectionContext = createContext({
  isAway: false,
  /** The server has another version of the program. */
  isOutdated: false,
  doubt() {},
})
