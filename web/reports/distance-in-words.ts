import { formatDistance, readersUnits } from '#web/ui/measures.ts'

export const distanceInWords = ({ distanceMeters }: { distanceMeters: number }) =>
  distanceMeters < 1 ? 'here' : `${formatDistance(distanceMeters, readersUnits())} away`
