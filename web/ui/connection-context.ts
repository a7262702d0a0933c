import { createContext } from 'react'

export const ConnectionContext = createContext({
  isAway: false,
  isOutdated: false,
  doubt() {},
})
