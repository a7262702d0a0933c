import { useMediaQuery } from '@mantine/hooks'
import { fingerQuery, lowQuery, phoneQuery } from './media-queries.ts'

const useMatches = (query: string) => useMediaQuery(query, false, { getInitialValueInEffect: false })

export const useIsPhone = () => useMatches(phoneQuery)
export const useIsLow = () => useMatches(lowQuery)

export const usePressWord = () => (useMatches(fingerQuery) ? 'Tap' : 'Click')
export type PressWord = ReturnType<typeof usePressWord>
