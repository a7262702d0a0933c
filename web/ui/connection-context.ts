import { createContext } from 'react'

/** What the pieces of the interface are told of the connection; the page's root provides it. */
export const ConnectionContext = createContext({
  isAway: false,
  /** Another version of the program is in place than the one that is running here. */
  isOutdated: false,
  /** Something could not be loaded: is the server there, and still the same? */
  doubt() {},
})
