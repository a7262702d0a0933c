import { createContext } from 'react'

/** The state of the connection, provided by the page's root. */
export const ConnectionContext = createContext({
  isAway: false,
  /** The server has another version of the program. */
  isOutdated: false,
  /** Checks the connection after something could not be loaded. */
  doubt() {},
})
