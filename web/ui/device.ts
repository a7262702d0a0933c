import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { fingerQuery, lowQuery, phoneQuery, stackedQuery } from './media-queries.ts'
import { useIsPrinting } from './printing.ts'

function useMatches(query: string) {
  const matches = useMediaQuery(query, false, { getInitialValueInEffect: false })
  // A sheet of paper is as narrow as a phone: what is printed is the layout of the screen.
  const isPrinting = useIsPrinting()
  const [shown, setShown] = useState(matches)
  if (!isPrinting && shown !== matches) setShown(matches)
  return isPrinting ? shown : matches
}

export const useIsPhone = () => useMatches(phoneQuery)
export const useIsStacked = () => useMatches(stackedQuery)
export const useIsLow = () => useMatches(lowQuery)

export const useHasFinger = () => useMatches(fingerQuery)

export const usePressWord = () => (useHasFinger() ? 'Tap' : 'Click')
export type PressWord = ReturnType<typeof usePressWord>
