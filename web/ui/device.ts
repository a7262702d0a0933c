import { useMediaQuery } from '@mantine/hooks'
import { fingerQuery, lowQuery, phoneQuery, stackedQuery } from './media-queries.ts'

const useMatches = (query: string) => useMediaQuery(query, false, { getInitialValueInEffect: false })

export const useIsPhone = () => useMatches(phoneQuery)
export const useIsStacked = () => useMatches(stackedQuery)
export const useIsLow = () => useMatches(lowQuery)

export const useHasFinger = () => useMatches(fingerQuery)

export const usePressWord = () => (useHasFinger() ? 'Tap' : 'Click')
export type PressWord = ReturnType<typeof usePressWord>
