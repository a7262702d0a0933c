import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { fingerQuery, lowQuery, phoneQuery, stackedQuery } from './media-queries.ts'
import { useIsPrinting } from './printing.ts'

function useMatches(query: string) {
  const matches = useMediaQuery(query, false, { getInitialValueInEffect: false })
  // Paper is as narrow as a phone, but the layout of the screen is printed.
  const isPrinting = useIsPrinting()
  const [shown, setShown] = useState(matches)
  if (!isPrinting && shown !== matches) setShown(matches)
  return isPrinting ? shown : matches
}

export const useIsPhone = () => useMatches(phoneQuery)
export const useIsStacked = () => useMatches(stackedQuery)
export const useIsLow = () => useMatches(lowQuery)

export const useHasFinger = () => useMatches(fingerQuery)

/** 2 if the browser shows text twice as large as usual: sizes in rem follow it. */
export const textScale = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1

export const rem = (pixels: number) => `${pixels / 16}rem`

export const usePressWord = () => (useHasFinger() ? 'Tap' : 'Click')
export type PressWord = ReturnType<typeof usePressWord>
